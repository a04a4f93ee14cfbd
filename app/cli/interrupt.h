#pragma once

#include <atomic>
#include <functional>
#include <thread>

#include "core/base/progress.h"

namespace ks::cli {

/// Lets SIGINT, SIGTERM and SIGHUP end the process again, which no thread takes while the program is loaded.
/// main() begins with it.
void let_interrupts_in();

/// From now on nothing more is said of an interruption, which has been told.
void interruption_is_told();

/// Exit code of a run that was cancelled: 128 and the signal, 130 where it was none.
int interrupted_code();

/// While it lives, a thread of its own waits for SIGINT, SIGTERM and SIGHUP. Threads and processes that are
/// begun meanwhile never see them: a compiler inside a driver would take its files away or fail, and the
/// driver with it.
class InterruptListener {
  public:
    explicit InterruptListener(std::function<void(int signal)> on_signal);
    ~InterruptListener();
    InterruptListener(const InterruptListener&) = delete;
    InterruptListener& operator=(const InterruptListener&) = delete;

  private:
    std::atomic<bool> over_{false};
    std::thread listener_;
};

/// While it lives, Ctrl-C (SIGINT), SIGTERM and SIGHUP cancel `progress`. The process has two seconds to end
/// from then on, also where this object is gone by then, and is ended after them; a second signal ends it at
/// once. No temporary files are left behind.
class InterruptCancels {
  public:
    explicit InterruptCancels(Progress& progress);

  private:
    InterruptListener listener_;
};

/// While it lives, these signals end the process at once, but without leaving temporary files behind: for the
/// window and the worker, which serve until they are told to end.
class InterruptEnds {
  public:
    InterruptEnds();
    /// The first signal is passed to `asks`, on a thread of its own. True: the process ends by itself, and
    /// has two seconds to do so. A second signal ends it at once.
    explicit InterruptEnds(std::function<bool(int signal)> asks);

  private:
    InterruptListener listener_;
};

}  // namespace ks::cli
