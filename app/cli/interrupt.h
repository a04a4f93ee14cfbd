#pragma once

#include <atomic>
#include <thread>

#include "core/run/progress.h"

namespace ks::cli {

/// Lets SIGINT end the process again, which no thread takes while the program is loaded. main() begins with
/// it.
void let_interrupts_in();

/// While it lives, Ctrl-C (SIGINT) cancels `progress`; a second one ends the process at once with code 130.
/// Threads and processes that are begun meanwhile never see the signal: a compiler inside a driver would take
/// its files away or fail, and the driver with it.
class InterruptCancels {
  public:
    explicit InterruptCancels(Progress& progress);
    ~InterruptCancels();
    InterruptCancels(const InterruptCancels&) = delete;
    InterruptCancels& operator=(const InterruptCancels&) = delete;

  private:
    std::atomic<bool> over_{false};
    std::thread listener_;
};

}  // namespace ks::cli
