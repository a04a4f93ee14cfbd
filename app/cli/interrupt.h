#pragma once

#include <atomic>
#include <functional>
#include <thread>

#include "core/base/progress.h"

namespace ks::cli {

/// Unblocks SIGINT, SIGTERM and SIGHUP, which all threads block while the program is loaded, so that they end
/// the process again. Called first in main().
void let_interrupts_in();

/// The interruption has been reported: nothing more is printed about it.
void interruption_is_told();

/// Exit code of a cancelled run: 128 plus the signal, 130 without one.
int interrupted_code();

/// While it lives, a separate thread waits for SIGINT, SIGTERM and SIGHUP. Threads and processes that are
/// started meanwhile never receive them: a compiler inside a driver would delete its files or fail, and the
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

/// While it lives, Ctrl-C (SIGINT), SIGTERM and SIGHUP cancel `progress`. The process then has two seconds to
/// end, even if this object is gone by then, and is ended after that; a second signal ends it at once. No
/// temporary files are left behind.
class InterruptCancels {
  public:
    explicit InterruptCancels(Progress& progress);

  private:
    InterruptListener listener_;
};

/// While it lives, these signals end the process at once, but leave no temporary files behind: for the window
/// and the worker, which serve until they are stopped.
class InterruptEnds {
  public:
    InterruptEnds();
    /// The first signal is passed to `asks`, on a separate thread. True: the process ends on its own, and has
    /// two seconds to do so. A second signal ends it at once.
    explicit InterruptEnds(std::function<bool(int signal)> asks);

  private:
    InterruptListener listener_;
};

}  // namespace ks::cli
