#pragma once

namespace ks::xpcs {

/// The input with the static bin of each pixel, [y][x]; 0: in none. Without it, Estimator::two_level takes
/// those in the file of the bins.
inline constexpr const char* static_bins_role = "static_bins";

}  // namespace ks::xpcs
