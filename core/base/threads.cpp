#include "core/base/threads.h"

#include <dlfcn.h>
#include <fmt/format.h>
#include <sched.h>
#include <sys/mman.h>
#include <sys/resource.h>

#include <tbb/global_control.h>

#include <algorithm>
#include <atomic>
#include <charconv>
#include <cstdlib>
#include <memory>
#include <thread>

#include "core/base/error.h"

extern "C" [[gnu::weak]] int openblas_get_num_threads(void);

namespace ks {
namespace {

std::atomic<unsigned> limit{0};  // 0: none

/// Of OpenBLAS alone, per thread that it starts.
constexpr std::uint64_t blas_buffer = std::uint64_t{128} << 20;

std::uint64_t address_space_of_blas(unsigned threads) {
    constexpr std::uint64_t usual_stack = std::uint64_t{8} << 20;
    rlimit stack{};
    const bool limited = getrlimit(RLIMIT_STACK, &stack) == 0 && stack.rlim_cur != RLIM_INFINITY;
    return (threads - 1) * (blas_buffer + (limited ? stack.rlim_cur : usual_stack));
}

/// The number in "NAME=4"; 0 where the text is another variable or has none.
unsigned number_of(const char* variable, const char* name) {
    for (; *name != '\0'; ++name, ++variable)
        if (*variable != *name) return 0;
    if (*variable++ != '=') return 0;
    unsigned number = 0;
    for (; *variable >= '0' && *variable <= '9' && number < 100'000; ++variable)
        number = 10 * number + static_cast<unsigned>(*variable - '0');
    return number;
}

/// The number of threads that OpenBLAS will start.
unsigned blas_threads(const char* const* environment) {
    // Not getenv(): libraries may not be initialised yet.
    for (const char* name : {"OPENBLAS_NUM_THREADS", "GOTO_NUM_THREADS", "OMP_NUM_THREADS"})
        for (const char* const* at = environment; at != nullptr && *at != nullptr; ++at)
            if (const unsigned number = number_of(*at, name); number > 0) return number;
    cpu_set_t mine;
    CPU_ZERO(&mine);
    const int found = sched_getaffinity(0, sizeof mine, &mine) == 0 ? CPU_COUNT(&mine) : 1;
    return found > 0 ? static_cast<unsigned>(found) : 1;
}

/// Read by drivers that compute on the host (PoCL up to 4, PoCL from 5 on, oclgrind) and by OpenMP libraries.
constexpr const char* driver_settings[] = {"POCL_MAX_PTHREAD_COUNT", "POCL_CPU_MAX_CU_COUNT",
                                           "OCLGRIND_NUM_THREADS", "OMP_NUM_THREADS"};

unsigned processors() {
    static const unsigned found = std::max(1U, std::thread::hardware_concurrency());  // takes about 20 us
    return found;
}

void limit_tbb(std::optional<unsigned> threads) {
    static std::unique_ptr<tbb::global_control> control;
    control.reset();
    if (threads)
        control =
            std::make_unique<tbb::global_control>(tbb::global_control::max_allowed_parallelism, *threads);
}

/// BLAS has no standard call for it: each library has its own, and which library is loaded is only known
/// at run time.
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

std::uint64_t blas_address_space(const char* const* environment) {
    return openblas_get_num_threads == nullptr ? 0 : address_space_of_blas(blas_threads(environment));
}

bool has_address_space(std::uint64_t bytes) {
    rlimit limit{};
    if (bytes == 0 || getrlimit(RLIMIT_AS, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY) return true;
    void* const tried = ::mmap(nullptr, bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (tried == MAP_FAILED) return false;
    ::munmap(tried, bytes);
    return true;
}

void require_blas_memory(const std::string& where) {
    if (openblas_get_num_threads == nullptr) return;
    const auto threads = static_cast<unsigned>(std::max(1, openblas_get_num_threads()));
    const std::uint64_t needed = address_space_of_blas(threads) + blas_buffer + (blas_buffer >> 1);
    if (has_address_space(needed)) return;
    throw Error(
        ErrorKind::run,
        fmt::format("the memory limit (ulimit -v) leaves less than the {} MiB that BLAS needs", needed >> 20),
        where, "raise the limit, use --threads 1, or choose another variant");
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
