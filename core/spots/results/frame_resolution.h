#pragma once

#include <cstddef>
#include <vector>

namespace ks::spots {

/// The minimum number of spots for a resolution estimate.
inline constexpr std::size_t min_spots_for_resolution = 10;

/// Estimated resolution limit of a frame in angstrom: d at the 95th percentile (linear between the ranks) of
/// 1/d^2 of its spots, without those within usual_ice_width of an ice ring. A few stray spots at high angles
/// do not affect it. NaN for fewer than min_spots_for_resolution spots.
/// @param d of the kept spots of the frame, angstrom; NaN and infinite values are left out
double frame_resolution(const std::vector<double>& d);

}  // namespace ks::spots
