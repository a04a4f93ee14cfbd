#include "app/cli/interrupt.h"

#include <pthread.h>
#include <unistd.h>
#include <csignal>

namespace ks::cli {
namespace {

// Without sanitizers, since it is called before they are ready.
[[gnu::no_sanitize_address, gnu::no_sanitize_undefined]] sigset_t interrupts() {
    sigset_t signals;
    sigemptyset(&signals);
    sigaddset(&signals, SIGINT);
    return signals;
}

[[gnu::no_sanitize_address, gnu::no_sanitize_undefined]] void hold_interrupts() {
    const sigset_t signals = interrupts();
    pthread_sigmask(SIG_BLOCK, &signals, nullptr);
}

// Libraries begin threads before main() (OpenBLAS does), and these inherit what is set then.
[[gnu::section(".preinit_array"), gnu::used]] void (*before_libraries)() = hold_interrupts;

}  // namespace

void let_interrupts_in() {
    const sigset_t signals = interrupts();
    pthread_sigmask(SIG_UNBLOCK, &signals, nullptr);
}

InterruptCancels::InterruptCancels(Progress& progress) {
    hold_interrupts();
    listener_ = std::thread([this, &progress] {
        const sigset_t signals = interrupts();
        for (int signal = 0; sigwait(&signals, &signal) == 0;) {
            if (over_.load()) return;
            if (progress.cancelled()) _exit(130);
            progress.cancel();
        }
    });
}

InterruptCancels::~InterruptCancels() {
    over_.store(true);
    pthread_kill(listener_.native_handle(), SIGINT);
    listener_.join();
    let_interrupts_in();
}

}  // namespace ks::cli
