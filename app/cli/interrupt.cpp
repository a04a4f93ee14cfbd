#include "app/cli/interrupt.h"

#include <pthread.h>
#include <unistd.h>
#include <chrono>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <system_error>
#include <utility>

#include "app/cli/output.h"
#include "core/base/threads.h"
#include "core/io/files/atomic_file.h"

namespace ks::cli {
namespace {

std::atomic<int> last_signal{SIGINT};

// Without sanitizers: it is called before they are initialised.
[[gnu::no_sanitize_address, gnu::no_sanitize_undefined]] sigset_t interrupts() {
    sigset_t signals;
    sigemptyset(&signals);
    for (const int signal : {SIGINT, SIGTERM, SIGHUP}) sigaddset(&signals, signal);
    return signals;
}

[[gnu::no_sanitize_address, gnu::no_sanitize_undefined]] void hold_all() {
    const sigset_t signals = interrupts();
    pthread_sigmask(SIG_BLOCK, &signals, nullptr);
}

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
void require_address_space(char**) {}  // a sanitizer reserves address space without limit
#else
void require_address_space(char** environment) {
    constexpr std::uint64_t rest_of_the_program = std::uint64_t{24} << 20;
    const std::uint64_t needed = blas_address_space(environment) + rest_of_the_program;
    if (has_address_space(needed)) return;
    char number[32];
    std::snprintf(number, sizeof number, "%llu", static_cast<unsigned long long>(needed >> 20));
    tell_at_once({"the memory limit (ulimit -v) leaves less than the ", number,
                  " MiB needed to start; raise the limit, or set OPENBLAS_NUM_THREADS=1 to reduce the need"});
    _exit(1);
}
#endif

/// Libraries start threads before main(), as OpenBLAS does. These inherit the signal mask set here. Where
/// there is no memory for them, the library never returns.
[[gnu::no_sanitize_address, gnu::no_sanitize_undefined]] void prepare_for_libraries(int, char**,
                                                                                    char** environment) {
    hold_all();
    require_address_space(environment);
}

[[gnu::section(".preinit_array"), gnu::used]] void (*before_libraries)(int, char**,
                                                                       char**) = prepare_for_libraries;

/// Without the signals that the parent process wants ignored (nohup). A shell ignores SIGINT for background
/// processes, where it is still a request to end.
sigset_t heeded() {
    sigset_t signals = interrupts();
    for (const int signal : {SIGTERM, SIGHUP}) {
        struct sigaction action = {};
        if (sigaction(signal, nullptr, &action) == 0 && action.sa_handler == SIG_IGN)
            sigdelset(&signals, signal);
    }
    return signals;
}

/// @return the next of these signals, 0 on failure
int wait_for(const sigset_t& signals) {
    int signal = 0;
    return sigwait(&signals, &signal) == 0 ? signal : 0;
}

[[noreturn]] void end_by(int signal) {
    io::remove_unfinished();
    std::signal(signal, SIG_DFL);
    sigset_t one;
    sigemptyset(&one);
    sigaddset(&one, signal);
    pthread_sigmask(SIG_UNBLOCK, &one, nullptr);
    raise(signal);
    _exit(128 + signal);
}

std::atomic<bool> end_is_told{false};

/// Ends the process once the user may expect it to have ended, whatever it is doing: a kernel or a library
/// loop that does not end, a destructor that waits for one.
void end_soon(int signal) try {
    std::thread([signal] {
        // The rest of the two seconds is for the system, to tear down a large process.
        constexpr std::chrono::milliseconds patience{1800};
        std::this_thread::sleep_for(patience);
        if (!end_is_told.exchange(true) && !is_silenced())
            tell_at_once(
                {"interrupted during an operation that cannot be stopped; no "
                 "unfinished file is left"});
        io::remove_unfinished();
        _exit(128 + signal);
    }).detach();
} catch (const std::system_error&) {  // no thread can be started
    end_by(signal);
}

}  // namespace

void let_interrupts_in() {
    const sigset_t signals = interrupts();
    pthread_sigmask(SIG_UNBLOCK, &signals, nullptr);
}

void interruption_is_told() {
    end_is_told.store(true);
}

int interrupted_code() {
    return 128 + last_signal.load();
}

InterruptListener::InterruptListener(std::function<void(int)> on_signal) {
    const sigset_t signals = heeded();
    pthread_sigmask(SIG_BLOCK, &signals, nullptr);
    listener_ = std::thread([this, signals, on_signal = std::move(on_signal)] {
        for (int signal = wait_for(signals); signal != 0 && !over_.load(); signal = wait_for(signals))
            on_signal(signal);
    });
}

InterruptListener::~InterruptListener() {
    over_.store(true);
    pthread_kill(listener_.native_handle(), SIGINT);
    listener_.join();
    let_interrupts_in();
}

InterruptCancels::InterruptCancels(Progress& progress)
    : listener_([&progress](int signal) {
          if (progress.cancelled()) end_by(signal);
          last_signal.store(signal);
          progress.cancel();
          end_soon(signal);
      }) {}

InterruptEnds::InterruptEnds() : listener_(end_by) {}

InterruptEnds::InterruptEnds(std::function<bool(int)> asks)
    : listener_([asks = std::move(asks), asked = false](int signal) mutable {
          if (std::exchange(asked, true) || !asks(signal)) end_by(signal);
          end_soon(signal);
      }) {}

}  // namespace ks::cli
