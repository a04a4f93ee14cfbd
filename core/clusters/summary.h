#pragma once

#include <string>

#include "core/run/run.h"

namespace ks::clusters {

/// A few lines for the terminal: the fullest modules and the totals.
std::string summary_of(const Run& run);
/// "phase1, 8 neighbours, cut 4000".
std::string setup_text_of(const Run& run);

}  // namespace ks::clusters
