#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "core/base/progress.h"
#include "core/basics/images/sampler.h"
#include "core/run/analysis.h"
#include "core/run/host_backend.h"
#include "core/run/request.h"
#include "core/run/variant.h"

namespace ks::basics {

/// Storage of an image channel, in the order of the parameter, which has `automatic` before them.
enum class ChannelType { f32, unorm_int8, signed_int32, unsigned_int16 };

/// "UNORM_INT8"
const char* name_of(ChannelType type);
/// Read by read_imagei or read_imageui, which do not filter.
bool is_integer(ChannelType type);

/// A picture as read, before it is given a channel type.
struct SourcePicture {
    enum class Values {
        fractions,  ///< from 0 to 1
        bytes,      ///< from 0 to 255, representing fractions of 255
        counts,     ///< 0 to 255 from a detector: kept as they are when read as floats
        any
    };
    std::string name;  ///< in messages
    std::size_t width = 0, height = 0, channels = 1;
    std::vector<float> values;  ///< [channel][y][x]
    Values kind = Values::fractions;
};

/// Squares of 8 pixels, brighter to the right and down, with a little noise, so that no two places are alike.
/// Throws ks::Error(cancelled) if a stop is requested.
SourcePicture test_picture(std::size_t width, std::size_t height, std::uint64_t seed,
                           const Progress& progress);

/// From a PNG file, or the first frame of a file of frames. Throws ks::Error(input): errors of read_png() and
/// open_source(), and pixels that are not finite floats.
SourcePicture read_picture(const InputRef& input, std::size_t depth);

/// Its slices, [channel][z][y][x], as returned by the read functions for the channel type: slice z of n is
/// the picture times (n - z) / n. Throws ks::Error(input) for values outside the range of the type.
std::vector<float> slices_of(const SourcePicture& picture, ChannelType type, std::size_t depth);

/// What a UNORM_INT8 channel returns for a float between 0 and 1 written to it.
float rounded_to_byte(double value);

/// Throws ks::Error(input) if the host does not have enough memory for the picture and for checking it.
void require_picture_memory(std::size_t width, std::size_t height, std::size_t pieces,
                            const std::string& where);

/// Kinds of image, in the order of the parameter.
enum class ImageKind { d2, d1, d3, d1_array, d2_array };
/// "2d_array"
const std::string& name_of(ImageKind kind);

/// A picture, and where it is sampled for each pixel of the result, which has the same size.
struct ImagesProblem : Problem {
    ImageKind kind = ImageKind::d2;
    ChannelType type = ChannelType::f32;
    std::size_t width = 0, height = 0;
    std::size_t depth = 1;     ///< slices of a 3-D image, or layers of an array of 2-D images
    std::size_t channels = 1;  ///< 1, or 3 or 4 for a colour picture
    std::vector<float>
        values;  ///< [channel][z][y][x], as returned by the read functions for the channel type
    Addressing addressing = Addressing::clamp_to_edge;
    bool linear = false, normalised = false;
    bool transposed = false;  ///< the result is [x][y]
    /// Coordinates of the columns, [x], rows, [y], and slices, [z], as passed to a kernel: in pixels, or if
    /// normalised in widths, heights and depths; for layers their numbers.
    std::vector<float> columns, rows, slices;
    Traits traits;

    /// Directions along which samplers work.
    std::size_t dimensions() const;
    std::size_t voxels() const { return width * height * depth; }
    Picture picture(std::size_t channel = 0) const;
    /// In pixels.
    double u(std::size_t x) const { return in_pixels(columns[x], 0, width); }
    double v(std::size_t y) const { return in_pixels(rows[y], 1, height); }
    double w(std::size_t z) const { return in_pixels(slices[z], 2, depth); }
    /// Index of the pixel within a channel of the result.
    std::size_t place(std::size_t x, std::size_t y, std::size_t z) const {
        return transposed ? x * height + y : (z * height + y) * width + x;
    }
    /// Values per channel of the result.
    std::vector<std::size_t> shape() const;

  private:
    double in_pixels(float coordinate, std::size_t direction, std::size_t size) const {
        if (direction >= dimensions()) return static_cast<double>(coordinate) + 0.5;
        return static_cast<double>(coordinate) * (normalised ? static_cast<double>(size) : 1);
    }
};

/// Permitted error of a weight of the linear filter: devices have at least 8 fractional bits, and round or
/// truncate coordinates to such a grid. For the same reason, a coordinate that is nearer than this to the
/// border of a pixel may be assigned to the pixel on the other side.
inline constexpr double weight_error = 0x1p-8;

/// Compares with the samplers in double.
Verdict check_images(const ImagesProblem& problem, const Run& run, CheckMode mode, Progress& progress);

/// Name of a channel's picture in a result: "sampled", for colours "sampled_red" and so on.
std::string channel_name(const char* what, std::size_t channel, std::size_t channels);

/// The result of a variant. @param sampled [channel][place] @param formats channel orders and types that the
/// device supports, as lines; empty on the host
Result images_result(const ImagesProblem& problem, const std::vector<float>& sampled,
                     const std::string& formats);

}  // namespace ks::basics
