#include "core/basics/images/picture.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <system_error>

#include "core/base/error.h"
#include "core/base/host_memory.h"
#include "core/basics/exercise.h"
#include "core/input/frame_input.h"
#include "core/io/files/data_name.h"
#include "core/io/frame_format.h"
#include "core/io/png/png_picture.h"

namespace ks::basics {
namespace {

/// How a channel type stores values: the range of numbers, and what the fractions 0 and 1 become.
struct Stored {
    double smallest, largest, zero, one;
};

/// 32-bit integers are limited to those that floats represent exactly, since the result is floats.
Stored stored_as(ChannelType type) {
    constexpr double whole = 0x1p24;
    if (type == ChannelType::signed_int32) return {-whole, whole, -whole / 2, whole / 2};
    if (type == ChannelType::unsigned_int16) return {0, 65535, 0, 65535};
    return {0, 255, 0, 255};
}

std::string expected_of(ChannelType type) {
    if (type == ChannelType::unorm_int8) return "values from 0 to 1";
    const Stored stored = stored_as(type);
    return fmt::format("whole numbers from {} to {}", stored.smallest, stored.largest);
}

/// The stored number, not yet rounded if it is a fraction of the range.
double code_of(const SourcePicture& picture, ChannelType type, std::size_t i) {
    using Values = SourcePicture::Values;
    const double value = picture.values[i];
    if (type == ChannelType::f32) return picture.kind == Values::bytes ? value / 255 : value;
    const Stored stored = stored_as(type);
    if (picture.kind == Values::fractions) return stored.zero + value * (stored.one - stored.zero);
    const bool of_255 = picture.kind == Values::bytes || picture.kind == Values::counts;
    const double code = type == ChannelType::unorm_int8 && !of_255 ? value * 255 : value;
    const bool fits = code >= stored.smallest && code <= stored.largest;
    if (!fits || (is_integer(type) && code != std::rint(code)))
        throw Error(
            ErrorKind::input,
            fmt::format("expected {} for {}, found {} at row {}, column {}", expected_of(type), name_of(type),
                        picture.values[i], i / picture.width % picture.height, i % picture.width),
            picture.name, "choose the channel type float");
    return code;
}

/// From a PNG file.
SourcePicture read_colours(const io::DataName& name, std::size_t depth) {
    if (!name.object.empty())
        throw Error(ErrorKind::input,
                    fmt::format("PNG files contain no objects, but the object {} was given", name.object),
                    name.to_string(), "remove " + name.object + " and the colons");
    const io::PngPicture png = io::read_png(name.file);
    require_picture_memory(png.width, png.height, png.channels * depth, name.to_string());
    SourcePicture picture{.name = name.to_string(),
                          .width = png.width,
                          .height = png.height,
                          .channels = png.channels,
                          .values = std::vector<float>(png.pixels.size()),
                          .kind = SourcePicture::Values::bytes};
    const std::size_t pixels = png.width * png.height;
    for (std::size_t i = 0; i < png.pixels.size(); ++i)
        picture.values[i % png.channels * pixels + i / png.channels] = png.pixels[i];
    return picture;
}

}  // namespace

const char* name_of(ChannelType type) {
    switch (type) {
        case ChannelType::unorm_int8:
            return "UNORM_INT8";
        case ChannelType::signed_int32:
            return "SIGNED_INT32";
        case ChannelType::unsigned_int16:
            return "UNSIGNED_INT16";
        case ChannelType::f32:
            break;
    }
    return "FLOAT";
}

bool is_integer(ChannelType type) {
    return type == ChannelType::signed_int32 || type == ChannelType::unsigned_int16;
}

float rounded_to_byte(double value) {
    return static_cast<float>(std::rint(std::clamp(value, 0.0, 1.0) * 255) / 255);
}

void require_picture_memory(std::size_t width, std::size_t height, std::size_t pieces,
                            const std::string& where) {
    require_memory(std::uint64_t{width} * height * pieces * 32, "the picture", where);
}

SourcePicture test_picture(std::size_t width, std::size_t height, std::uint64_t seed,
                           const Progress& progress) {
    SourcePicture picture{.name = "images", .width = width, .height = height, .values = {}};
    picture.values = exercise_values(width * height, seed, 1, progress);
    for (std::size_t y = 0; y < height; ++y) {
        progress.check();
        for (std::size_t x = 0; x < width; ++x) {
            const float square = (x / 8 + y / 8) % 2 == 0 ? 0.1F : 0.5F;
            const float slope = 0.2F * static_cast<float>(x) / static_cast<float>(width) +
                                0.2F * static_cast<float>(y) / static_cast<float>(height);
            float& value = picture.values[y * width + x];
            value = square + slope + 0.05F * value;
        }
    }
    return picture;
}

SourcePicture read_picture(const InputRef& input, std::size_t depth) {
    if (!input.values) {
        const io::DataName name = io::DataName::parse(input.name);
        if (io::is_png(name.file) || io::suffix_of(name.file) == ".png") return read_colours(name, depth);
        std::error_code failure;
        const bool has_bytes = std::filesystem::file_size(name.file, failure) > 0 && !failure;
        if (has_bytes && std::filesystem::is_regular_file(name.file) && io::format_of(name) == nullptr)
            throw Error(ErrorKind::input,
                        fmt::format("expected a picture in PNG, {} format, found another kind of file",
                                    io::format_titles()),
                        name.file.string());
    }
    const auto source = io::open_source(input);
    require_picture_memory(source->width(), source->height(), depth, source->name());
    if (source->pixels() == 0 || source->frames() == 0)
        throw Error(ErrorKind::input, "expected a picture, found none", source->name());
    SourcePicture picture{.name = source->name(),
                          .width = source->width(),
                          .height = source->height(),
                          .values = {},
                          .kind = source->type() == ElementType::u8 ? SourcePicture::Values::counts
                                                                    : SourcePicture::Values::any};
    Array frame(source->type(), {source->height(), source->width()});
    source->read(0, 1, frame.bytes());
    for (const double value : frame.to_doubles()) {
        picture.values.push_back(static_cast<float>(value));
        if (!std::isfinite(picture.values.back()))
            throw Error(ErrorKind::input, "a pixel is not finite as a 32-bit float", source->name());
    }
    return picture;
}

std::vector<float> slices_of(const SourcePicture& picture, ChannelType type, std::size_t depth) {
    const std::size_t pixels = picture.width * picture.height;
    std::vector<float> slices(picture.channels * depth * pixels);
    for (std::size_t i = 0; i < picture.values.size(); ++i) {
        const double code = code_of(picture, type, i);
        for (std::size_t z = 0; z < depth; ++z) {
            const double scaled = code * static_cast<double>(depth - z) / static_cast<double>(depth);
            slices[(i / pixels * depth + z) * pixels + i % pixels] =
                static_cast<float>(type == ChannelType::f32          ? scaled
                                   : type == ChannelType::unorm_int8 ? std::rint(scaled) / 255
                                                                     : std::rint(scaled));
        }
    }
    return slices;
}

}  // namespace ks::basics
