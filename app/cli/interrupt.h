#pragma once

#include <atomic>
#include <functional>
#include <thread>

#include "core/base/progress.h"

namespace ks::cli {

/// Lets SIGINT, SIGTERM and SIGHUP end the process again, which no thread takes while the program is loaded.
/// main() begins with it.
void let_interrupts_in();

/// While it lives, no thread takes these signals, nor do threads ever that are begun meanwhile by a library.
class InterruptsHeld {
  public:
    InterruptsHeld();
    ~InterruptsHeld() { let_interrupts_in(); }
    InterruptsHeld(const InterruptsHeld&) = delete;
    InterruptsHeld& operator=(const InterruptsHeld&) = delete;
};

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

/// While it lives, Ctrl-C (SIGINT), SIGTERM and SIGHUP cancel `progress`; a second one ends the process at
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

  private:
    InterruptListener listener_;
};

}  // namespace ks::cli
