#pragma once

#include <cstdint>
#include <vector>

#include "core/spots/spot.h"

namespace ks::spots {

/// A powder ring of hexagonal ice: its reflection and lattice spacing.
struct IceRing {
    int h, k, l;
    double d;  ///< angstrom
};

/// Rings of hexagonal ice (Ih, P6_3/mmc) from 3.90 to 1.12 angstrom, in order of decreasing d, with the
/// lattice at about 100 K: a = 4.4975, c = 7.3224 angstrom; 1/d^2 = 4/3 (h^2 + h k + k^2) / a^2 + l^2 / c^2.
/// Reflections that are (nearly) extinguished by the oxygen atoms, such as 004, 111, 104, are left out.
const std::vector<IceRing>& ice_rings();

/// Default half-width in 1/d^2 (1/angstrom^2), which covers most of a ring.
inline constexpr double usual_ice_width = 0.002;

/// Whether 1/d^2 is within +- width (1/angstrom^2) of that of a ring; false where d is NaN.
bool on_ice_ring(double d, double width);

/// The values that decide whether a spot is dropped.
struct FilterInput {
    std::uint64_t n_signal;
    double x, y, z;  ///< from the centroid to the peak
    double d;        ///< angstrom
};

/// Why a spot is dropped: the first reason that applies, in the order of Dropped. Limits on d do not apply to
/// spots without a d. The distance from peak to centroid is that of DIALS: in x, y and frame, where one frame
/// counts as one pixel.
Dropped why_dropped(const FilterInput& spot, const Grouping& grouping);
Dropped why_dropped(const Spot& spot, const Grouping& grouping);

}  // namespace ks::spots
