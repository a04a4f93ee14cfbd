#include "app/cli/interrupt.h"

#include <pthread.h>
#include <unistd.h>
#include <csignal>

#include "core/io/files/atomic_file.h"

namespace ks::cli {
namespace {

std::atomic<int> last_signal{SIGINT};

// Without sanitizers, since it is called before they are ready.
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

// Libraries begin threads before main() (OpenBLAS does), and these inherit what is set then.
[[gnu::section(".preinit_array"), gnu::used]] void (*before_libraries)() = hold_all;

/// Without those that whoever started the process wants ignored (nohup); a shell ignores SIGINT for what
/// runs in the background, where it is still a wish to end.
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

}  // namespace

void let_interrupts_in() {
    const sigset_t signals = interrupts();
    pthread_sigmask(SIG_UNBLOCK, &signals, nullptr);
}

InterruptsHeld::InterruptsHeld() {
    hold_all();
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
      }) {}

InterruptEnds::InterruptEnds() : listener_(end_by) {}

}  // namespace ks::cli
