#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/base/array.h"
#include "core/data/regions/pixel_region.h"

namespace ks {

// Regions found in a frame, rank 2, [y][x], any element type. NaN and infinite values are in no value range.
// All throw ks::Error(run) for another rank.

/// All pixels whose value v has low <= v <= high.
PixelRegion value_region(const Array& frame, double low, double high);
/// The 4-connected pixels around (x, y) whose values lie in [low, high]; empty where that pixel itself does
/// not, or lies outside the frame.
PixelRegion flood_region(const Array& frame, std::size_t x, std::size_t y, double low, double high);
/// Pixels that exceed the median of their surroundings (the valid ones of 5 x 5, without the pixel itself) by
/// more than `sigma` times the noise there: the larger of the root of the median (counting statistics),
/// 1.4826 times the median absolute deviation, and 1 for integer frames. The median of an even number of
/// values is the mean of the two in the middle. At the border the surroundings are cut off; a pixel with
/// fewer than 3 valid neighbours is not hot. NaN and infinite pixels are not valid, and always hot; negative
/// integers are not valid, and never hot. Pixels whose `ignore`, [y][x], is nonzero are neither found nor
/// used; null: none. Throws ks::Error(input) for a sigma that is negative or NaN and for an `ignore` of
/// another size.
PixelRegion hot_region(const Array& frame, double sigma, const std::vector<std::uint8_t>* ignore = nullptr);

/// Grown by `pixels` in 8 directions (a square structuring element).
PixelRegion grown(const PixelRegion& region, std::size_t pixels);
/// The inverse: what is farther than `pixels` from any pixel that is not in the region; the image's border
/// does not eat into it.
PixelRegion shrunk(const PixelRegion& region, std::size_t pixels);

}  // namespace ks
