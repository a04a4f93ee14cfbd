#pragma once

#include <initializer_list>
#include <string>
#include <string_view>

namespace ks::cli {

/// Turns writing to a closed pipe or beyond a file-size limit into errors instead of signals that end the
/// process, and keeps a closed standard stream from being mistaken for the first file that is opened. Called
/// at the start of main().
void prepare_output();
/// Details of an error for a terminal: each line is indented and ends with a line break.
std::string indented(std::string_view details);
/// Writes to standard error, as far as possible.
void tell(std::string_view text);
/// Writes "kernelscope-cli: warning: ..." to standard error, with the sentence as by printable().
void warn(std::string_view sentence);
/// Writes a sentence to standard error in place of the progress line, whatever locks other threads hold: for
/// a process that ends at once, also from a signal handler. Takes no lock and allocates no memory.
void tell_at_once(std::initializer_list<const char*> parts) noexcept;
/// Sets whether a progress line is shown, which the next output replaces.
void note_progress_line(bool shown);
/// From now on nothing is written to standard output or by tell(): of several ranks, only rank 0 prints.
void be_silent();
bool is_silenced();
/// Writes what is left of standard output. @return errno if that failed, else 0
int unwritten_output();

/// Exit code if nobody reads standard output any more: that of a process ended by SIGPIPE.
constexpr int nobody_reads = 141;

}  // namespace ks::cli
