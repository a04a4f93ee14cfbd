#pragma once

#include "core/run/progress.h"

namespace ks::cli {

/// While it lives, Ctrl-C (SIGINT) cancels `progress`; a second one ends the process at once with code 130.
class InterruptCancels {
  public:
    explicit InterruptCancels(Progress& progress);
    ~InterruptCancels();
    InterruptCancels(const InterruptCancels&) = delete;
    InterruptCancels& operator=(const InterruptCancels&) = delete;
};

}  // namespace ks::cli
