#pragma once

#include <cstddef>
#include <vector>

#include "core/run/result.h"

namespace ks::xpcs {

/// Counts per pixel of each frame of a bin, from the pairs that the run kept; NaN for frames that it left
/// out. Empty if the result has no such sums, or the bin no pixels.
/// @param bin from 0 on
std::vector<double> kept_counts(const Result& result, std::size_t bin);

}  // namespace ks::xpcs
