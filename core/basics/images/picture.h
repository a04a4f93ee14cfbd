#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "core/base/progress.h"
#include "core/run/request.h"

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

}  // namespace ks::basics
