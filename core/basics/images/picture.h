#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "core/run/request.h"

namespace ks::basics {

/// What a channel of an image is stored as, in the order of the parameter, which has `automatic` before them.
enum class ChannelType { f32, unorm_int8, signed_int32, unsigned_int16 };

/// "UNORM_INT8"
const char* name_of(ChannelType type);
/// Read by read_imagei or read_imageui, which do not filter.
bool is_integer(ChannelType type);

/// A picture as it comes, before it has a channel type.
struct SourcePicture {
    enum class Values {
        fractions,  ///< from 0 to 1
        bytes,      ///< from 0 to 255, which are fractions of 255
        counts,     ///< the same, of a detector: as floats they stay
        any
    };
    std::string name;  ///< in messages
    std::size_t width = 0, height = 0, channels = 1;
    std::vector<float> values;  ///< [channel][y][x]
    Values kind = Values::fractions;
};

/// Squares of 8 pixels, brighter to the right and down, and a little noise, so that no two places are alike.
SourcePicture test_picture(std::size_t width, std::size_t height, std::uint64_t seed);

/// Of a PNG file, or the first frame of a file of frames. Throws ks::Error(input): what read_png() and
/// open_source() refuse, pixels that are no finite floats.
SourcePicture read_picture(const InputRef& input, std::size_t depth);

/// Its slices, [channel][z][y][x], as the functions of the channel type read them: slice z of n is the
/// picture times (n - z) / n. Throws ks::Error(input) for values that the type does not hold.
std::vector<float> slices_of(const SourcePicture& picture, ChannelType type, std::size_t depth);

/// What a channel of UNORM_INT8 that was given a float between 0 and 1 is read as.
float rounded_to_byte(double value);

/// Throws ks::Error(input) where the host has no room for the picture and what a check of it needs.
void require_picture_memory(std::size_t width, std::size_t height, std::size_t pieces,
                            const std::string& where);

}  // namespace ks::basics
