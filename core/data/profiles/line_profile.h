#pragma once

#include <cstdint>
#include <vector>

#include "core/base/array.h"
#include "core/data/regions/region_shapes.h"

namespace ks {

/// Values along a line, about one per pixel.
struct LineProfile {
    std::vector<double> distance;  ///< from the first point, pixel
    std::vector<double> value;     ///< of the pixel there; NaN outside the frame and for invalid pixels
};

/// From a to b through a frame [y][x], including both ends. Pixels that `ignore` marks (size of the frame,
/// null: none) are NaN. Throws ks::Error(run) for another rank or size.
LineProfile line_profile(const Array& frame, const std::vector<std::uint8_t>* ignore, ImagePoint a,
                         ImagePoint b);

}  // namespace ks
