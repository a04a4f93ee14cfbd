#pragma once

#include <cstddef>
#include <span>

namespace ks::basics {

/// Meaning of a coordinate outside the picture.
enum class Addressing { clamp_to_edge, clamp, none, repeat, mirrored_repeat };

/// A picture of floats, [z][y][x]. Samplers work along its first `dimensions`, x before y before z; along the
/// others it is an array of layers.
struct Picture {
    std::span<const float> values;
    std::size_t width = 0, height = 0, depth = 1;
    std::size_t dimensions = 2;
};

/// The samplers of OpenCL (section 8.2 of its specification) in double. Coordinates u, v, w are in pixels;
/// the centre of the first pixel is at 0.5. Outside the picture `clamp` reads 0. With `none`, which behaves
/// like clamp_to_edge, coordinates must be inside. The mode does not apply to layers: a number outside the
/// range selects the nearest layer, and filters do not cross layers.
double nearest_value(const Picture& picture, Addressing addressing, double u, double v, double w = 0.5);
/// Weighted mean of the surrounding pixels: 2 in one dimension, 4 in two, 8 in three.
double linear_value(const Picture& picture, Addressing addressing, double u, double v, double w = 0.5);

/// Minimum and maximum of the 4 x 4 surrounding pixels (4 in one dimension, 64 in three): a linear value
/// stays between them, even if its coordinates are off by up to a pixel.
struct Range {
    double low = 0, high = 0;
};
Range values_around(const Picture& picture, Addressing addressing, double u, double v, double w = 0.5);

}  // namespace ks::basics
