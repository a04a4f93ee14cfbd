#pragma once

#include <string>

#include "core/run/run.h"

namespace ks::particles {

/// A few lines for the terminal: sum and range of each plane, pairs and their rate, and for a variant that
/// approximates the requested and the reached error.
std::string summary_of(const Run& run);
/// "rbf, width 0.1", "helmholtz, k 10", "laplace, to 0.0001" for a treecode.
std::string setup_text_of(const Run& run);

}  // namespace ks::particles
