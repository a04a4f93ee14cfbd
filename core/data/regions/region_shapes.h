#pragma once

#include <cstddef>
#include <span>

#include "core/data/regions/pixel_region.h"

namespace ks {

/// A point of an image: pixel (row 0, column 0) has its centre at (0.5, 0.5).
struct ImagePoint {
    double x = 0, y = 0;
    bool operator==(const ImagePoint&) const = default;
};

// Shapes drawn on an image of height x width. A pixel belongs to a shape where its centre lies inside; a
// centre on the left or upper edge is inside, on the right or lower one it is not (where a left and a right
// edge meet, it is not). Shapes may reach beyond the image; a coordinate or length that is NaN or infinite
// gives an empty region.

/// Between two opposite corners, in any order.
PixelRegion rectangle_region(std::size_t height, std::size_t width, ImagePoint a, ImagePoint b);
/// Inside of the ellipse with these half axes along x and y; a half axis of 0 or less gives an empty region.
PixelRegion ellipse_region(std::size_t height, std::size_t width, ImagePoint centre, double half_x,
                           double half_y);
/// Closed by itself; a polygon that crosses itself is filled by the even-odd rule. Fewer than 3 corners:
/// empty.
PixelRegion polygon_region(std::size_t height, std::size_t width, std::span<const ImagePoint> corners);
/// Everything within diameter / 2 of the line from a to b, at least the pixels below its ends and, however
/// thin, a line of pixels between them that touch by their sides or corners.
PixelRegion stroke_region(std::size_t height, std::size_t width, ImagePoint a, ImagePoint b, double diameter);

}  // namespace ks
