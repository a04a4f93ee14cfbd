#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace ks {

/// The largest number of threads that may be requested.
constexpr unsigned max_threads_asked = 1024;

/// Threads that compute at the same time: the limit if one is set, else the number of processors that this
/// process may use. At least 1. Code that divides work uses this, not std::thread::hardware_concurrency().
unsigned compute_threads();

/// The limit; nothing if none is set.
std::optional<unsigned> thread_limit();

/// Limits compute_threads(), the threads of oneTBB and BLAS, and those of OpenCL drivers that compute on the
/// host. Drivers read their environment when they are loaded, so call this function before the first platform
/// is queried. Nothing: no limit. Throws ks::Error(input) unless it is 1 to max_threads_asked.
void limit_threads(std::optional<unsigned> threads);

/// Ends the threads of OpenBLAS. OpenBLAS starts them when it is loaded, and they spin for a tenth of a
/// second looking for work, on processors that others could use. It restarts them when it computes.
void rest_blas();

/// Bytes of address space that OpenBLAS takes for its threads and their buffers when it is loaded; if it does
/// not get them, it retries forever. 0 if BLAS is another library. May be called before libraries are loaded.
/// @param environment of the process, as passed to main()
std::uint64_t blas_address_space(const char* const* environment);

/// Whether that many more bytes can be mapped; a limit (ulimit -v) may forbid it.
bool has_address_space(std::uint64_t bytes);

/// Throws ks::Error(run) if BLAS cannot compute for lack of address space.
void require_blas_memory(const std::string& where);

/// Parses the number. Throws ks::Error(input) naming `where` unless it is a whole number from
/// 1 to max_threads_asked.
unsigned parse_threads(const std::string& text, const std::string& where);

}  // namespace ks
