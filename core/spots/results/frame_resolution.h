#pragma once

#include <cstddef>
#include <vector>

namespace ks::spots {

/// The fewest spots that tell a resolution.
inline constexpr std::size_t min_spots_for_resolution = 10;

/// Estimated resolution limit of a frame, angstrom: d at the 95th percentile (linear between the ranks) of
/// 1/d^2 of its spots, without those within usual_ice_width of a ring of ice. A few stray spots at high
/// angles do not move it. NaN where fewer than min_spots_for_resolution are left.
/// @param d of the kept spots of the frame, angstrom; NaN and infinite ones are left out
double frame_resolution(const std::vector<double>& d);

}  // namespace ks::spots
