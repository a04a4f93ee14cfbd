#pragma once

#include <cstdint>

#include "core/spots/spot.h"

namespace ks::spots {

/// What tells whether a spot goes.
struct FilterInput {
    std::uint64_t n_signal;
    double x, y, z;  ///< from the centroid to the peak
    double d;        ///< angstrom
};

/// Why a spot goes, the first that applies in the order of Dropped. Limits in d leave spots without a d
/// alone. Peak and centroid are as far apart as DIALS takes them: in x, y and frame, a frame counting as a
/// pixel.
Dropped why_dropped(const FilterInput& spot, const Grouping& grouping);
Dropped why_dropped(const Spot& spot, const Grouping& grouping);

}  // namespace ks::spots
