#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "core/data/geometry.h"

namespace ks {

/// Where a ring is looked for: `inner` < r < `outer`. Radii are lengths from the beam in units of the mean
/// pixel.
struct RingWindow {
    std::size_t ring = 0;
    double inner = 0, outer = 0;
};

/// A maximum of a ring within one sector.
struct RingPeak {
    std::size_t ring = 0;  ///< as in its window
    double x = 0, y = 0;   ///< pixel, on the sector's middle
    double error = 0;      ///< standard error of the radius by the counts' scatter, mean pixels
};

/// Counts [y][x], NaN where there is none.
struct CountMap {
    std::span<const float> counts;
    std::size_t height, width;
};

/// The maxima of rings around the beam of `geometry` (its pixel sizes must be known), at most one a window
/// and sector: in the sector's radial profile the most prominent rise within the window, then its centroid
/// over a straight background, of net counts relative to the background's course, in an interval that is
/// symmetric about it. Profiles are means without the pixels that stand out from others of the same radius
/// and sector (hot and dead ones). Where a gap, a border or noise spoils it there is none.
std::vector<RingPeak> find_ring_peaks(const CountMap& map, const Geometry& geometry,
                                      std::span<const RingWindow> windows, std::size_t sectors);

}  // namespace ks
