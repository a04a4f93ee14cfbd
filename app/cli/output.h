#pragma once

#include <initializer_list>
#include <string_view>

namespace ks::cli {

/// A pipe that nobody reads and a file that may not grow are errors of writing, not signals that end the
/// process; a standard stream that is closed is not taken for the first file that is opened. main() begins
/// with it.
void prepare_output();
/// Writes to standard error, as far as it can be written.
void tell(std::string_view text);
/// Writes a sentence to standard error in place of a line of progress, whatever other threads hold: for a
/// process that ends at once, also out of a handler of signals. Takes no lock and no memory.
void tell_at_once(std::initializer_list<const char*> parts) noexcept;
/// Whether a line of progress is shown, which the next words replace.
void note_progress_line(bool shown);
/// From now on nothing is written to standard output, nor by tell(): of several ranks, rank 0 speaks.
void be_silent();
bool is_silenced();
/// Writes what is left of standard output. @return errno of what could not be written, else 0
int unwritten_output();

/// Exit code where nobody reads standard output any more: the one of a process that SIGPIPE ends.
constexpr int nobody_reads = 141;

}  // namespace ks::cli
