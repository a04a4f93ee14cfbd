#pragma once

#include <cstdint>
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

/// Bytes of address space that OpenBLAS takes for its threads and their buffers when it is loaded; where it
/// does not get them, it tries for ever. 0 where BLAS is another library. May be called before libraries are
/// loaded.
/// @param environment of the process, as main() may be given it
std::uint64_t blas_address_space(const char* const* environment);

/// Whether so many bytes more can be mapped, which a limit (ulimit -v) may forbid.
bool has_address_space(std::uint64_t bytes);

/// Throws ks::Error(run) where BLAS could not compute for lack of address space.
void require_blas_memory(const std::string& where);

/// The number in a text. Throws ks::Error(input) naming `where` unless it is a whole number, 1 to
/// max_threads_asked.
unsigned parse_threads(const std::string& text, const std::string& where);

}  // namespace ks
