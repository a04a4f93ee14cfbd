#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/base/array.h"
#include "core/data/regions/pixel_region.h"

namespace ks {

// Regions found in a frame, rank 2, [y][x], any element type. NaN and infinite values are outside every
// range. All functions throw ks::Error(run) for another rank.

/// All pixels whose value v satisfies low <= v <= high.
PixelRegion value_region(const Array& frame, double low, double high);
/// The 4-connected pixels around (x, y) whose values are in [low, high]; empty if that pixel itself is not,
/// or is outside the frame.
PixelRegion flood_region(const Array& frame, std::size_t x, std::size_t y, double low, double high);
/// Hot pixels: those that exceed the median of their surroundings (the valid ones of 5 x 5, without the pixel
/// itself) by more than `sigma` times the local noise. The noise is the maximum of the square root of the
/// median (counting statistics), of 1.4826 times the median absolute deviation, and, for integer frames, of
/// 1. The median of an even number of values is the mean of the two in the middle. At the border the
/// surroundings are truncated; a pixel with fewer than 3 valid neighbours is not hot. NaN and infinite pixels
/// are invalid and always hot; negative integers are invalid and never hot. Pixels with nonzero `ignore`,
/// [y][x], are neither reported nor used; null: none. Throws ks::Error(input) for a sigma that is negative or
/// NaN and for an `ignore` of another size.
PixelRegion hot_region(const Array& frame, double sigma, const std::vector<std::uint8_t>* ignore = nullptr);

/// Dilated by `pixels` in 8 directions (a square structuring element).
PixelRegion grown(const PixelRegion& region, std::size_t pixels);
/// The inverse (erosion): pixels farther than `pixels` from any pixel outside the region; the image's border
/// does not erode it.
PixelRegion shrunk(const PixelRegion& region, std::size_t pixels);

}  // namespace ks
