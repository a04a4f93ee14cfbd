#pragma once

#include <future>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>

namespace ks {

/// How many threads may be asked for.
constexpr unsigned most_threads_asked = 1024;

/// Threads that compute at the same time: the limit where one is set, else as many as the processors that
/// this process may use. At least 1. What divides work asks here, not std::thread::hardware_concurrency().
unsigned compute_threads();

/// The limit that is set; nothing: none.
std::optional<unsigned> thread_limit();

/// Limits compute_threads(), the threads of BLAS, and those of OpenCL drivers that compute on the host. The
/// drivers read their environment when they are loaded: call it before the first platform is asked for.
/// Nothing: no limit. Throws ks::Error(input) unless it is 1 to most_threads_asked.
void limit_threads(std::optional<unsigned> threads);

/// The number in a text. Throws ks::Error(input) naming `where` unless it is a whole number, 1 to
/// most_threads_asked.
unsigned parse_threads(const std::string& text, const std::string& where);

/// Runs work() on a thread beside the caller; where one thread is all there may be, at once in the caller.
/// Its result or exception is in the future. Leaving the future waits for it, as std::async's does.
template <class Work>
auto beside(Work work) -> std::future<std::invoke_result_t<Work&>> {
    if (compute_threads() > 1) return std::async(std::launch::async, std::move(work));
    std::packaged_task<std::invoke_result_t<Work&>()> task(std::move(work));
    auto result = task.get_future();
    task();
    return result;
}

}  // namespace ks
