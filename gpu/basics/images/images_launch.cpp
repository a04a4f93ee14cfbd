#include <fmt/format.h>
#include <CL/opencl.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "core/base/error.h"
#include "core/basics/images/images.h"
#include "gpu/basics/exercise_input.h"
#include "gpu/basics/images/image_formats.h"
#include "gpu/runtime/device_memory.h"
#include "gpu/runtime/launch_context.h"
#include "gpu/runtime/opencl_backend.h"
#include "gpu/runtime/tuned_defines.h"

namespace ks::gpu::basics {
namespace {

using ks::basics::Addressing;
using ks::basics::ChannelType;
using ks::basics::ImageKind;
using ks::basics::ImagesProblem;

/// Width, height and depth, or number of layers; 1 for unused dimensions.
using Extent = std::array<cl::size_type, 3>;

/// Bytes per pixel in an image.
std::size_t texel_bytes(ChannelType type) {
    if (type == ChannelType::unorm_int8) return 4;
    return type == ChannelType::unsigned_int16 ? 8 : 16;
}

/// Bytes per pixel in a buffer that a kernel fills with vectors of four.
constexpr std::size_t vector_bytes = 16;

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

/// An image of any kind; freed with this object, and counted as device memory until then.
class AnyImage : public cl::Image {
  public:
    /// @param bytes of its pixels
    /// Throws cl::Error.
    AnyImage(DeviceContext& device, cl_mem_flags flags, const cl::ImageFormat& format,
             const cl_image_desc& shape, std::uint64_t bytes)
        : cl::Image(created(device.context(), flags, format, shape)), held_(device.memory(), bytes) {}

  private:
    HeldBytes held_;
};

/// Extent of an image of the problem; one row for kind 1d.
Extent extent_of(const ImagesProblem& problem) {
    if (problem.kind == ImageKind::d1) return {problem.width, 1, 1};
    return {problem.width, problem.height, problem.depth};
}

/// An image of channel order RGBA and the problem's type. @param transposed width and height are swapped
AnyImage make_image(LaunchContext& context, const ImagesProblem& problem, cl_mem_flags flags,
                    bool transposed = false) {
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

/// Throws ks::Error(input) if the device does not support images, images of that size, or lacks the memory.
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

/// RGBA of the picture's pixels, [z][y][x]: missing channels are 0, and alpha 1.
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

/// The picture's channels, [channel][pixel], from texels as stored in images, or from vectors of four as
/// returned to kernels.
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

/// Macros that read and write the channel type: READ, WRITE and TEXEL.
std::map<std::string, std::string> functions_of(ChannelType type) {
    if (type == ChannelType::signed_int32)
        return {{"READ", "read_imagei"}, {"WRITE", "write_imagei"}, {"TEXEL", "int4"}};
    if (type == ChannelType::unsigned_int16)
        return {{"READ", "read_imageui"}, {"WRITE", "write_imageui"}, {"TEXEL", "uint4"}};
    return {{"READ", "read_imagef"}, {"WRITE", "write_imagef"}, {"TEXEL", "float4"}};
}

/// For images that the same kernel reads and writes, from OpenCL 2.0.
constexpr cl_mem_flags kernel_reads_and_writes = 1U << 12U;

cl_addressing_mode mode_of(Addressing addressing) {
    constexpr cl_addressing_mode modes[] = {CL_ADDRESS_CLAMP_TO_EDGE, CL_ADDRESS_CLAMP, CL_ADDRESS_NONE,
                                            CL_ADDRESS_REPEAT, CL_ADDRESS_MIRRORED_REPEAT};
    return modes[static_cast<std::size_t>(addressing)];
}

/// The type in OpenCL C, and the number of coordinates of its pixels.
struct ImageInC {
    const char* type;
    std::size_t coordinates;
};

ImageInC in_c(ImageKind kind) {
    constexpr ImageInC kinds[] = {
        {"image2d_t", 2}, {"image1d_t", 1}, {"image3d_t", 3}, {"image1d_array_t", 2}, {"image2d_array_t", 3}};
    return kinds[static_cast<std::size_t>(kind)];
}

/// The picture to be sampled, and the coordinates, on the device.
struct Sampling {
    Sampling(LaunchContext& context, const ImagesProblem& problem)
        : source(make_image(context, problem, CL_MEM_READ_ONLY)),
          columns(context.uploaded("upload coordinates", std::span(problem.columns))),
          rows(context.uploaded("upload coordinates", std::span(problem.rows))),
          slices(context.uploaded("upload coordinates", std::span(problem.slices))),
          sampler(context.device().context(), problem.normalised ? CL_TRUE : CL_FALSE,
                  mode_of(problem.addressing), problem.linear ? CL_FILTER_LINEAR : CL_FILTER_NEAREST) {}
    AnyImage source;
    Buffer columns, rows, slices;
    cl::Sampler sampler;
};

void write_image(LaunchContext& context, const cl::Image& image, const Extent& extent,
                 std::span<const std::byte> texels) {
    cl::Event event;
    context.device().queue().enqueueWriteImage(image, CL_TRUE, {0, 0, 0}, extent, 0, 0, texels.data(),
                                               nullptr, &event);
    context.track("upload picture", StageKind::upload, event, {texels.size(), 0});
}

void read_image(LaunchContext& context, const cl::Image& image, const Extent& extent,
                std::span<std::byte> texels) {
    cl::Event event;
    context.device().queue().enqueueReadImage(image, CL_TRUE, {0, 0, 0}, extent, 0, 0, texels.data(), nullptr,
                                              &event);
    context.track("download picture", StageKind::download, event, {texels.size(), 0});
}

/// Fills an image or a buffer that a kernel is about to write with a value that the picture hardly has
/// everywhere: an earlier launch may have left its own result there.
void forget(LaunchContext& context, const AnyImage& image, const Extent& extent, ChannelType type) {
    const auto fill = [&](const auto& colour) {
        context.device().queue().enqueueFillImage(image, colour, {0, 0, 0}, extent);
    };
    switch (type) {
        case ChannelType::unorm_int8:
            return fill(cl_float4{{0.6F, 0.6F, 0.6F, 0.6F}});
        case ChannelType::signed_int32:
            return fill(cl_int4{{0x7e9bfea5, 0x7e9bfea5, 0x7e9bfea5, 0x7e9bfea5}});
        case ChannelType::unsigned_int16:
            return fill(cl_uint4{{0xfea5, 0xfea5, 0xfea5, 0xfea5}});
        case ChannelType::f32:
            fill(cl_float4{{1e30F, 1e30F, 1e30F, 1e30F}});
    }
}

/// Whether kernels may write an image of the kind; otherwise they fill a buffer.
bool writes_images(const LaunchContext& context, ImageKind kind) {
    return kind != ImageKind::d3 || context.info().has_extension("cl_khr_3d_image_writes");
}

Result launch_sample(const ImagesProblem& problem, LaunchContext& context) {
    require_images(context, problem);
    require_format(context, problem, CL_MEM_READ_ONLY);
    auto defines = tuned_defines(context, ElementType::f32);
    const bool into_buffer = defines["INTO_BUFFER"] == "1" || !writes_images(context, problem.kind);
    if (!into_buffer) require_format(context, problem, CL_MEM_WRITE_ONLY);
    const ImageInC c = in_c(problem.kind);
    defines.merge(functions_of(problem.type));
    defines["IMAGE"] = std::string(c.type);
    defines["COORDINATES"] = std::to_string(c.coordinates);
    defines["TRANSPOSED"] = std::to_string(static_cast<int>(problem.transposed));
    defines["INTO_BUFFER"] = std::to_string(static_cast<int>(into_buffer));

    const Sampling sampling(context, problem);
    const Extent extent = extent_of(problem);
    Extent of_result = extent;
    if (problem.transposed) std::swap(of_result[0], of_result[1]);
    // for kind 1d there is one image per row, one after another
    const std::size_t pixels = extent[0] * extent[1] * extent[2], images = problem.voxels() / pixels;
    const std::size_t bytes = pixels * texel_bytes(problem.type);
    const std::size_t bytes_back = into_buffer ? pixels * vector_bytes : bytes;
    const std::vector<std::byte> texels = texels_of(problem);
    std::vector<std::byte> back(images * bytes_back);
    cl::Kernel kernel = context.kernel("sample", defines);
    const Buffer filled = context.buffer(into_buffer ? bytes_back : 0);
    // if kernels cannot write such images, there may be none to create
    std::optional<AnyImage> written;
    if (!into_buffer) written.emplace(make_image(context, problem, CL_MEM_WRITE_ONLY, problem.transposed));
    const auto set_with = [&](const auto& result) {
        set_arguments(kernel, sampling.source, result, sampling.sampler, sampling.columns, sampling.rows,
                      sampling.slices);
    };
    if (written)
        set_with(*written);
    else
        set_with(filled);
    for (std::size_t image = 0; image < images; ++image) {
        write_image(context, sampling.source, extent, std::span(texels).subspan(image * bytes, bytes));
        if (written)
            forget(context, *written, of_result, problem.type);
        else
            context.fill_with_unlikely(filled, bytes_back);
        context.launch("sample", kernel, range_of(of_result, c.coordinates), cl::NullRange,
                       {bytes + bytes_back, 0});
        const std::span<std::byte> to = std::span(back).subspan(image * bytes_back, bytes_back);
        if (into_buffer)
            context.download("download picture", filled, to);
        else
            read_image(context, *written, of_result, to);
    }
    context.finish();
    return images_result(problem, values_of(problem, back, into_buffer), formats_of(context, problem.kind));
}

/// Writes the picture, launches a kernel whose arguments are set, and reads the result; both images may be
/// one.
Result run_on_images(const ImagesProblem& problem, LaunchContext& context, const AnyImage& from,
                     const AnyImage& to, const char* stage, const cl::Kernel& kernel,
                     const cl::NDRange& range) {
    std::vector<std::byte> texels = texels_of(problem);
    const Extent extent = extent_of(problem);
    write_image(context, from, extent, texels);
    if (&to != &from) forget(context, to, extent, problem.type);
    context.launch(stage, kernel, range, cl::NullRange, {2 * texels.size(), 0});
    read_image(context, to, extent, texels);
    context.finish();
    return images_result(problem, values_of(problem, texels, false), formats_of(context, problem.kind));
}

Result launch_rows_first(const ImagesProblem& problem, LaunchContext& context) {
    context.require(problem.traits);
    require_images(context, problem);
    require_format(context, problem, CL_MEM_READ_ONLY);
    require_format(context, problem, CL_MEM_WRITE_ONLY);
    const Sampling sampling(context, problem);
    const AnyImage sampled = make_image(context, problem, CL_MEM_WRITE_ONLY);
    cl::Kernel kernel = context.kernel("sample_rows_first", functions_of(problem.type));
    set_arguments(kernel, sampling.source, sampled, sampling.sampler, sampling.columns, sampling.rows);
    return run_on_images(problem, context, sampling.source, sampled, "sample", kernel,
                         {problem.height, problem.width});
}

Result launch_mirror(const ImagesProblem& problem, LaunchContext& context) {
    context.require(problem.traits);
    require_images(context, problem);
    require_format(context, problem, kernel_reads_and_writes);
    const AnyImage picture = make_image(context, problem, CL_MEM_READ_WRITE);
    cl::Kernel kernel = context.kernel("mirror", functions_of(problem.type));
    set_arguments(kernel, picture, static_cast<cl_int>(problem.width));
    return run_on_images(problem, context, picture, picture, "mirror", kernel,
                         {(problem.width + 1) / 2, problem.height});
}

Condition is(const char* trait, const char* what, const char* value) {
    return {.trait = trait, .what = what, .values = {value}};
}

Condition equal(const char* trait, const char* what, double value) {
    return {.trait = trait, .what = what, .values = {}, .minimum = value, .maximum = value};
}

constexpr const char* read_write_probe = R"(
#if __OPENCL_C_VERSION__ >= 300 && !defined(__opencl_c_read_write_images)
#error no image is both read and written
#endif
kernel void probe(read_write image2d_t picture) {
    write_imagef(picture, (int2)(0, 0), read_imagef(picture, (int2)(1, 0)));
}
)";

}  // namespace

std::vector<ClVariant> images_rows() {
    ClVariant sampler{
        {.id = "sampler",
         .title = "Copy through a sampler",
         .description = "One work-item per pixel reads an image through a sampler and writes another image.",
         .source_file = "gpu/basics/images/sample.cl",
         .entry_points = {"sample"},
         .defines = {{"INTO_BUFFER",
                      "0",
                      {"0", "1"},
                      "1: the result is written to a buffer instead of an image, as for 3d if the device "
                      "cannot write 3d images"}},
         .baseline = true,
         .rank = 20},
        launch_sample};
    ClVariant rows_first{
        {.id = "rows.first",
         .title = "Row first",
         .description = "As on the slide: the first id is the row and the second the column, in a range of "
                        "height x width; neighbours read different rows.",
         .source_file = "gpu/basics/images/rows_first.cl",
         .entry_points = {"sample_rows_first"},
         .takes = {is("kind", "the kind", "2d"), is("transposed", "the parameter transposed to be", "false")},
         .rank = 10},
        launch_rows_first};
    ClVariant in_place{
        {.id = "read.write",
         .title = "Mirrored in place",
         .description = "Each work-item swaps two pixels of a row in one image that is read and written.",
         .source_file = "gpu/basics/images/read_write.cl",
         .entry_points = {"mirror"},
         .takes = {is("mirrored", "the parameter mirrored to be", "true"), is("kind", "the kind", "2d"),
                   is("transposed", "the parameter transposed to be", "false"),
                   is("filter", "the filter", "nearest"), equal("zoom", "the zoom", 1),
                   equal("shift_x", "a shift in x of", 0), equal("shift_y", "a shift in y of", 0)},
         .rank = 5},
        launch_mirror,
        {},
        read_write_probe};
    in_place.languages = {"CL3.0", "CL2.0"};
    return {std::move(sampler), std::move(rows_first), std::move(in_place)};
}

}  // namespace ks::gpu::basics
