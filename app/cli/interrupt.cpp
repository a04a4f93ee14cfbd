#include "app/cli/interrupt.h"

#include <unistd.h>
#include <atomic>
#include <csignal>

namespace ks::cli {
namespace {

// A signal handler has no other way to its target. Both atomics are lock-free, as a handler needs.
std::atomic<Progress*> target{nullptr};
static_assert(std::atomic<Progress*>::is_always_lock_free && std::atomic<bool>::is_always_lock_free);

extern "C" void on_interrupt(int) {
    Progress* progress = target.load();
    if (progress == nullptr || progress->cancelled()) _exit(130);
    progress->cancel();
}

}  // namespace

InterruptCancels::InterruptCancels(Progress& progress) {
    target.store(&progress);
    struct sigaction action = {};
    action.sa_handler = on_interrupt;
    action.sa_flags = SA_RESTART;
    sigemptyset(&action.sa_mask);
    sigaction(SIGINT, &action, nullptr);
}

InterruptCancels::~InterruptCancels() {
    std::signal(SIGINT, SIG_DFL);
    target.store(nullptr);
}

}  // namespace ks::cli
