#include "gpu/basics/images/device_images.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <utility>

#include "core/base/error.h"
#include "gpu/basics/exercise_input.h"
#include "gpu/basics/images/image_formats.h"

namespace ks::gpu::basics {
namespace {

using ks::basics::ChannelType;
using ks::basics::ImageKind;
using ks::basics::ImagesProblem;

cl_mem created(const cl::Context& context, cl_mem_flags flags, const cl::ImageFormat& format,
               const cl_image_desc& shape) {
    cl_int failed = CL_SUCCESS;
    const cl_mem image = clCreateImage(context(), flags, &format, &shape, nullptr, &failed);
    if (failed != CL_SUCCESS) throw cl::Error(failed, "clCreateImage");
    return image;
}

/// Maximum extent of an image of the kind.
Extent limits_of(const cl::Device& device, ImageKind kind) {
    const auto width = device.getInfo<CL_DEVICE_IMAGE2D_MAX_WIDTH>();
    const auto height = device.getInfo<CL_DEVICE_IMAGE2D_MAX_HEIGHT>();
    const auto layers = device.getInfo<CL_DEVICE_IMAGE_MAX_ARRAY_SIZE>();
    switch (kind) {
        case ImageKind::d1:
            return {width, 1, 1};
        case ImageKind::d1_array:
            return {width, layers, 1};
        case ImageKind::d2_array:
            return {width, height, layers};
        case ImageKind::d3:
            return {device.getInfo<CL_DEVICE_IMAGE3D_MAX_WIDTH>(),
                    device.getInfo<CL_DEVICE_IMAGE3D_MAX_HEIGHT>(),
                    device.getInfo<CL_DEVICE_IMAGE3D_MAX_DEPTH>()};
        case ImageKind::d2:
            break;
    }
    return {width, height, 1};
}

/// "256 x 192", "256 pixels", "256 pixels, 192 of them"
std::string text_of(ImageKind kind, const Extent& extent) {
    const auto [width, height, depth] = extent;
    switch (kind) {
        case ImageKind::d1:
            return fmt::format("{} pixels", width);
        case ImageKind::d1_array:
            return fmt::format("{} rows of {} pixels", height, width);
        case ImageKind::d2_array:
            return fmt::format("{} layers of {} x {}", depth, width, height);
        case ImageKind::d3:
            return fmt::format("{} x {} x {}", width, height, depth);
        case ImageKind::d2:
            break;
    }
    return fmt::format("{} x {}", width, height);
}

template <class T>
void put(std::byte* to, double value) {
    const auto stored = static_cast<T>(value);
    std::memcpy(to, &stored, sizeof stored);
}

template <class T>
float got(const std::byte* from) {
    T stored{};
    std::memcpy(&stored, from, sizeof stored);
    return static_cast<float>(stored);
}

/// @param value as kernels read it
void put_channel(std::byte* to, ChannelType type, double value) {
    switch (type) {
        case ChannelType::unorm_int8:
            return put<cl_uchar>(to, std::rint(value * 255));
        case ChannelType::signed_int32:
            return put<cl_int>(to, value);
        case ChannelType::unsigned_int16:
            return put<cl_ushort>(to, value);
        case ChannelType::f32:
            put<cl_float>(to, value);
    }
}

float channel_at(const std::byte* from, ChannelType type, bool of_vector) {
    switch (type) {
        case ChannelType::unorm_int8:
            return ks::basics::rounded_to_byte(of_vector ? static_cast<double>(got<cl_float>(from))
                                                         : static_cast<double>(got<cl_uchar>(from)) / 255);
        case ChannelType::signed_int32:
            return got<cl_int>(from);
        case ChannelType::unsigned_int16:
            return of_vector ? got<cl_uint>(from) : got<cl_ushort>(from);
        case ChannelType::f32:
            break;
    }
    return got<cl_float>(from);
}

}  // namespace

AnyImage::AnyImage(DeviceContext& device, cl_mem_flags flags, const cl::ImageFormat& format,
                   const cl_image_desc& shape, std::uint64_t bytes)
    : cl::Image(created(device.context(), flags, format, shape)), held_(device.memory(), bytes) {}

Extent extent_of(const ImagesProblem& problem) {
    if (problem.kind == ImageKind::d1) return {problem.width, 1, 1};
    return {problem.width, problem.height, problem.depth};
}

AnyImage make_image(LaunchContext& context, const ImagesProblem& problem, cl_mem_flags flags,
                    bool transposed) {
    Extent extent = extent_of(problem);
    if (transposed) std::swap(extent[0], extent[1]);
    cl_image_desc shape{};
    shape.image_type = object_type_of(problem.kind);
    shape.image_width = extent[0];
    if (problem.kind == ImageKind::d1_array)
        shape.image_array_size = extent[1];
    else if (problem.kind != ImageKind::d1)
        shape.image_height = extent[1];
    if (problem.kind == ImageKind::d2_array) shape.image_array_size = extent[2];
    if (problem.kind == ImageKind::d3) shape.image_depth = extent[2];
    context.not_repeatable("it works on images, which exist for one run only");
    const std::uint64_t pixels = std::uint64_t{extent[0]} * extent[1] * extent[2];
    return {context.device(), flags, cl::ImageFormat(CL_RGBA, cl_type_of(problem.type)), shape,
            pixels * texel_bytes(problem.type)};
}

void require_images(LaunchContext& context, const ImagesProblem& problem) {
    const cl::Device& device = context.device().device();
    if (device.getInfo<CL_DEVICE_IMAGE_SUPPORT>() == CL_FALSE)
        throw Error(ErrorKind::input, fmt::format("{} does not support images", context.info().name),
                    "images", "choose another device");
    Extent extent = extent_of(problem);
    // for a transposed picture, the result is an image too
    if (problem.transposed) extent[0] = extent[1] = std::max(extent[0], extent[1]);
    const Extent most = limits_of(device, problem.kind);
    if (extent[0] > most[0] || extent[1] > most[1] || extent[2] > most[2])
        throw Error(ErrorKind::input,
                    fmt::format("an image of the kind {} with {} is too large: {} allows at most {}",
                                name_of(problem.kind), text_of(problem.kind, extent_of(problem)),
                                context.info().name, text_of(problem.kind, most)),
                    "images", "choose a smaller picture");
    const std::uint64_t pixels = std::uint64_t{extent_of(problem)[0]} * extent_of(problem)[1] * problem.depth;
    require_room(context, 2 * pixels * vector_bytes, pixels * vector_bytes,
                 "two images with " + text_of(problem.kind, extent_of(problem)), "choose a smaller picture");
}

std::size_t texel_bytes(ChannelType type) {
    if (type == ChannelType::unorm_int8) return 4;
    return type == ChannelType::unsigned_int16 ? 8 : 16;
}

std::vector<std::byte> texels_of(const ImagesProblem& problem) {
    const std::size_t size = texel_bytes(problem.type), pixels = problem.voxels();
    std::vector<std::byte> texels(pixels * size);
    for (std::size_t i = 0; i < pixels; ++i)
        for (std::size_t channel = 0; channel < 4; ++channel) {
            const double without = channel == 3 ? 1 : 0;
            put_channel(&texels[i * size + channel * size / 4], problem.type,
                        channel < problem.channels ? static_cast<double>(problem.values[channel * pixels + i])
                                                   : without);
        }
    return texels;
}

std::vector<float> values_of(const ImagesProblem& problem, const std::vector<std::byte>& texels,
                             bool vectors) {
    const std::size_t size = vectors ? vector_bytes : texel_bytes(problem.type), pixels = problem.voxels();
    std::vector<float> values(problem.channels * pixels);
    for (std::size_t channel = 0; channel < problem.channels; ++channel)
        for (std::size_t i = 0; i < pixels; ++i)
            values[channel * pixels + i] =
                channel_at(&texels[i * size + channel * size / 4], problem.type, vectors);
    return values;
}

std::map<std::string, std::string> functions_of(ChannelType type) {
    if (type == ChannelType::signed_int32)
        return {{"READ", "read_imagei"}, {"WRITE", "write_imagei"}, {"TEXEL", "int4"}};
    if (type == ChannelType::unsigned_int16)
        return {{"READ", "read_imageui"}, {"WRITE", "write_imageui"}, {"TEXEL", "uint4"}};
    return {{"READ", "read_imagef"}, {"WRITE", "write_imagef"}, {"TEXEL", "float4"}};
}

}  // namespace ks::gpu::basics
