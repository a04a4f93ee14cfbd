#pragma once

#include <cstddef>
#include <span>

namespace ks::basics {

/// What a coordinate outside of the picture means.
enum class Addressing { clamp_to_edge, clamp, none, repeat, mirrored_repeat };

/// A picture of floats, [y][x].
struct Picture {
    std::span<const float> values;
    std::size_t width = 0, height = 0;
};

/// The samplers of OpenCL (section 8.2 of its specification) in double. Coordinates u, v are in pixels, those
/// of the first pixel's centre are 0.5. Outside of the picture `clamp` reads 0. With `none` coordinates must
/// be inside, where it is as clamp_to_edge.
double nearest_value(const Picture& picture, Addressing addressing, double u, double v);
/// Weighs the four pixels around.
double linear_value(const Picture& picture, Addressing addressing, double u, double v);

/// Smallest and largest of the 4 x 4 pixels around: a linear value stays between them, also where its
/// coordinates are off by up to a pixel.
struct Range {
    double low = 0, high = 0;
};
Range values_around(const Picture& picture, Addressing addressing, double u, double v);

}  // namespace ks::basics
