#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "core/data/geometry.h"

namespace ks {

/// Where a ring is searched: `inner` < r < `outer`. Radii are distances from the beam in units of the
/// mean pixel size.
struct RingWindow {
    std::size_t ring = 0;
    double inner = 0, outer = 0;
};

/// A maximum of a ring within one sector.
struct RingPeak {
    std::size_t ring = 0;  ///< index given by its window
    double x = 0, y = 0;   ///< pixel, on the sector's central ray
    double error = 0;  ///< standard error of the radius from the scatter of the counts, in mean pixel sizes
};

/// Counts [y][x], NaN where invalid.
struct CountMap {
    std::span<const float> counts;
    std::size_t height, width;
};

/// The maxima of rings around the beam of `geometry` (its pixel sizes must be known), at most one per window
/// and sector. A maximum is the most prominent rise of the sector's radial profile within the window. It is
/// refined to the centroid of the counts above a sloping straight background, in an interval that is
/// symmetric about the centroid. Profiles are means; pixels that deviate from others of the same radius and
/// sector (hot and dead ones) are left out. If a gap, a border or noise prevents it, there is no maximum.
std::vector<RingPeak> find_ring_peaks(const CountMap& map, const Geometry& geometry,
                                      std::span<const RingWindow> windows, std::size_t sectors);

}  // namespace ks
