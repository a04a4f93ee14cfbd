#pragma once

#include <string>

#include "core/run/run.h"

namespace ks::spots {

/// For the terminal: a line a frame (the first 20), counts of signal and spots, and why spots were dropped.
std::string summary_of(const Run& run);

}  // namespace ks::spots
