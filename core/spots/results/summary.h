#pragma once

#include <string>

#include "core/run/run.h"

namespace ks::spots {

/// For the terminal: one line per frame (the first 20), counts of signal and spots, and why
/// spots were dropped.
std::string summary_of(const Run& run);
/// "gain 4, sigma 6/3": the signal thresholds; window and global threshold only if they are not the default.
std::string setup_text_of(const Run& run);

}  // namespace ks::spots
