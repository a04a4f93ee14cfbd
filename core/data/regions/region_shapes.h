#pragma once

#include <cstddef>
#include <span>

#include "core/data/regions/pixel_region.h"

namespace ks {

/// A point in an image: pixel (row 0, column 0) has its centre at (0.5, 0.5).
struct ImagePoint {
    double x = 0, y = 0;
    bool operator==(const ImagePoint&) const = default;
};

// Shapes drawn on a height x width image. A pixel belongs to a shape if its centre is inside. A centre on the
// left or upper edge is inside, one on the right or lower edge is not (nor where a left and a right edge
// meet). Shapes may extend beyond the image; a NaN or infinite coordinate or length gives an empty region.

/// Between two opposite corners, in any order.
PixelRegion rectangle_region(std::size_t height, std::size_t width, ImagePoint a, ImagePoint b);
/// Inside the ellipse with these semi-axes along x and y; a semi-axis of 0 or less gives an empty region.
PixelRegion ellipse_region(std::size_t height, std::size_t width, ImagePoint centre, double half_x,
                           double half_y);
/// Closed automatically; a self-intersecting polygon is filled by the even-odd rule. Fewer than
/// 3 corners: empty.
PixelRegion polygon_region(std::size_t height, std::size_t width, std::span<const ImagePoint> corners);
/// Everything within diameter / 2 of the line from a to b; at least the pixels under its ends and, however
/// thin it is, a line of pixels between them connected by sides or corners.
PixelRegion stroke_region(std::size_t height, std::size_t width, ImagePoint a, ImagePoint b, double diameter);

}  // namespace ks
