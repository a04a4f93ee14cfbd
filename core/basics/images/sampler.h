#pragma once

#include <cstddef>
#include <span>

namespace ks::basics {

/// What a coordinate outside of the picture means.
enum class Addressing { clamp_to_edge, clamp, none, repeat, mirrored_repeat };

/// A picture of floats, [z][y][x]. Samplers work along its first `dimensions`, x before y before z; along the
/// others it is an array of layers.
struct Picture {
    std::span<const float> values;
    std::size_t width = 0, height = 0, depth = 1;
    std::size_t dimensions = 2;
};

/// The samplers of OpenCL (section 8.2 of its specification) in double. Coordinates u, v, w are in pixels,
/// those of the first pixel's centre are 0.5. Outside of the picture `clamp` reads 0. With `none` coordinates
/// must be inside, where it is as clamp_to_edge. Layers are not addressed by the mode: one outside is the
/// nearest there is, and filters do not reach from one to the next.
double nearest_value(const Picture& picture, Addressing addressing, double u, double v, double w = 0.5);
/// Weighs the pixels around: 2 in one dimension, 4 in two, 8 in three.
double linear_value(const Picture& picture, Addressing addressing, double u, double v, double w = 0.5);

/// Smallest and largest of the 4 x 4 pixels around (4 in one dimension, 64 in three): a linear value stays
/// between them, also where its coordinates are off by up to a pixel.
struct Range {
    double low = 0, high = 0;
};
Range values_around(const Picture& picture, Addressing addressing, double u, double v, double w = 0.5);

}  // namespace ks::basics
