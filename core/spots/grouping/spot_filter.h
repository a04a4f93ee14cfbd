#pragma once

#include <cstdint>

#include "core/spots/spot.h"

namespace ks::spots {

/// The values that decide whether a spot is dropped.
struct FilterInput {
    std::uint64_t n_signal;
    double x, y, z;  ///< from the centroid to the peak
    double d;        ///< angstrom
};

/// Why a spot is dropped: the first reason that applies, in the order of Dropped. Limits in d do not apply to
/// spots without a d. The peak-centroid distance is that of DIALS: in x, y and frame, with a frame counting
/// as one pixel.
Dropped why_dropped(const FilterInput& spot, const Grouping& grouping);
Dropped why_dropped(const Spot& spot, const Grouping& grouping);

}  // namespace ks::spots
