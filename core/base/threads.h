#pragma once

#include <optional>
#include <string>

namespace ks {

/// How many threads may be asked for.
constexpr unsigned max_threads_asked = 1024;

/// Threads that compute at the same time: the limit where one is set, else as many as the processors that
/// this process may use. At least 1. What divides work asks here, not std::thread::hardware_concurrency().
unsigned compute_threads();

/// The limit that is set; nothing: none.
std::optional<unsigned> thread_limit();

/// Limits compute_threads(), the threads of oneTBB and BLAS, and those of OpenCL drivers that compute on the
/// host. The drivers read their environment when they are loaded: call it before the first platform is asked
/// for. Nothing: no limit. Throws ks::Error(input) unless it is 1 to max_threads_asked.
void limit_threads(std::optional<unsigned> threads);

/// OpenBLAS starts its threads when it is loaded, and they look for work without pause for a tenth of a
/// second, on processors that others could use. This ends them; BLAS starts them again when it computes.
void rest_blas();

/// The number in a text. Throws ks::Error(input) naming `where` unless it is a whole number, 1 to
/// max_threads_asked.
unsigned parse_threads(const std::string& text, const std::string& where);

}  // namespace ks
