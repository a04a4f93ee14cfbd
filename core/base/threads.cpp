#include "core/base/threads.h"

#include <dlfcn.h>

#include <tbb/global_control.h>

#include <algorithm>
#include <atomic>
#include <charconv>
#include <cstdlib>
#include <memory>
#include <thread>

#include "core/base/error.h"

namespace ks {
namespace {

std::atomic<unsigned> limit{0};  // 0: none

/// Read by drivers that compute on the host: PoCL to 4, PoCL from 5 on, oclgrind; and by libraries of OpenMP.
constexpr const char* driver_settings[] = {"POCL_MAX_PTHREAD_COUNT", "POCL_CPU_MAX_CU_COUNT",
                                           "OCLGRIND_NUM_THREADS", "OMP_NUM_THREADS"};

unsigned processors() {
    static const unsigned found = std::max(1U, std::thread::hardware_concurrency());  // some 20 us to ask
    return found;
}

void limit_tbb(std::optional<unsigned> threads) {
    static std::unique_ptr<tbb::global_control> control;
    control.reset();
    if (threads)
        control =
            std::make_unique<tbb::global_control>(tbb::global_control::max_allowed_parallelism, *threads);
}

/// BLAS has no call of its own for it: each library brings one, and which one is there is known when the
/// program runs.
void limit_blas(unsigned threads) {
    for (const char* name : {"openblas_set_num_threads", "MKL_Set_Num_Threads", "bli_thread_set_num_threads"})
        if (void* const found = dlsym(RTLD_DEFAULT, name))
            reinterpret_cast<void (*)(int)>(found)(static_cast<int>(threads));
    rest_blas();
}

Error out_of_range(const std::string& found, const std::string& where) {
    return Error(ErrorKind::input,
                 "the number of threads must be a whole number from 1 to " +
                     std::to_string(max_threads_asked) + ", found \"" + found + "\"",
                 where);
}

}  // namespace

unsigned compute_threads() {
    const unsigned set = limit.load(std::memory_order_relaxed);
    return set > 0 ? set : processors();
}

std::optional<unsigned> thread_limit() {
    const unsigned set = limit.load(std::memory_order_relaxed);
    return set > 0 ? std::optional(set) : std::nullopt;
}

void limit_threads(std::optional<unsigned> threads) {
    if (threads && (*threads < 1 || *threads > max_threads_asked))
        throw out_of_range(std::to_string(*threads), "threads");
    const unsigned before = limit.exchange(threads.value_or(0));
    if (!threads && before == 0) return;
    limit_tbb(threads);
    limit_blas(threads.value_or(processors()));
    for (const char* name : driver_settings) {
        if (threads)
            setenv(name, std::to_string(*threads).c_str(), 1);
        else
            unsetenv(name);
    }
}

void rest_blas() {
    if (void* const found = dlsym(RTLD_DEFAULT, "blas_thread_shutdown_"))
        reinterpret_cast<int (*)()>(found)();
}

unsigned parse_threads(const std::string& text, const std::string& where) {
    unsigned threads = 0;
    const char* const end = text.data() + text.size();
    const auto [stop, code] = std::from_chars(text.data(), end, threads);
    if (code != std::errc() || stop != end || threads < 1 || threads > max_threads_asked)
        throw out_of_range(text, where);
    return threads;
}

}  // namespace ks
