#include <fmt/format.h>
#include <CL/opencl.hpp>

#include <array>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "core/base/error.h"
#include "core/basics/images/images.h"
#include "gpu/basics/images/images_rows.h"
#include "gpu/basics/require_room.h"

namespace ks::gpu::basics {
namespace {

using ks::basics::Addressing;
using ks::basics::ImagesProblem;

/// Throws ks::Error(input) where the device has no images, or none as large.
void require_images(LaunchContext& context, const ImagesProblem& problem) {
    const cl::Device& device = context.device().device();
    if (device.getInfo<CL_DEVICE_IMAGE_SUPPORT>() == CL_FALSE)
        throw Error(ErrorKind::input, fmt::format("{} has no images", context.info().name), "images",
                    "take another device");
    const auto widest = device.getInfo<CL_DEVICE_IMAGE2D_MAX_WIDTH>();
    const auto highest = device.getInfo<CL_DEVICE_IMAGE2D_MAX_HEIGHT>();
    if (problem.width > widest || problem.height > highest)
        throw Error(ErrorKind::input,
                    fmt::format("an image of {} x {} is asked for, and {} takes at most {} x {}",
                                problem.width, problem.height, context.info().name, widest, highest),
                    "images", "give a smaller picture");
    const std::uint64_t bytes = std::uint64_t{problem.width} * problem.height * 4 * sizeof(float);
    require_room(context, 2 * bytes, bytes,
                 fmt::format("two images of {} x {}", problem.width, problem.height),
                 "give a smaller picture");
}

cl_addressing_mode mode_of(Addressing addressing) {
    switch (addressing) {
        case Addressing::clamp_to_edge:
            return CL_ADDRESS_CLAMP_TO_EDGE;
        case Addressing::clamp:
            return CL_ADDRESS_CLAMP;
        case Addressing::repeat:
            return CL_ADDRESS_REPEAT;
        case Addressing::mirrored_repeat:
            return CL_ADDRESS_MIRRORED_REPEAT;
        case Addressing::none:
            break;
    }
    return CL_ADDRESS_NONE;
}

std::string name_in(const std::map<unsigned, const char*>& names, unsigned value) {
    const auto found = names.find(value);
    return found == names.end() ? fmt::format("{:#x}", value) : found->second;
}

/// A line for each channel order, with its channel types.
std::string formats_of(LaunchContext& context) {
    static const std::map<unsigned, const char*> orders = {{CL_R, "R"},
                                                           {CL_A, "A"},
                                                           {CL_RG, "RG"},
                                                           {CL_RA, "RA"},
                                                           {CL_RGB, "RGB"},
                                                           {CL_RGBA, "RGBA"},
                                                           {CL_BGRA, "BGRA"},
                                                           {CL_ARGB, "ARGB"},
                                                           {CL_Rx, "Rx"},
                                                           {CL_RGx, "RGx"},
                                                           {CL_RGBx, "RGBx"},
                                                           {CL_INTENSITY, "INTENSITY"},
                                                           {CL_LUMINANCE, "LUMINANCE"},
                                                           {CL_DEPTH, "DEPTH"}};
    static const std::map<unsigned, const char*> types = {{CL_SNORM_INT8, "SNORM_INT8"},
                                                          {CL_SNORM_INT16, "SNORM_INT16"},
                                                          {CL_UNORM_INT8, "UNORM_INT8"},
                                                          {CL_UNORM_INT16, "UNORM_INT16"},
                                                          {CL_UNORM_SHORT_565, "UNORM_SHORT_565"},
                                                          {CL_UNORM_SHORT_555, "UNORM_SHORT_555"},
                                                          {CL_UNORM_INT_101010, "UNORM_INT_101010"},
                                                          {CL_SIGNED_INT8, "SIGNED_INT8"},
                                                          {CL_SIGNED_INT16, "SIGNED_INT16"},
                                                          {CL_SIGNED_INT32, "SIGNED_INT32"},
                                                          {CL_UNSIGNED_INT8, "UNSIGNED_INT8"},
                                                          {CL_UNSIGNED_INT16, "UNSIGNED_INT16"},
                                                          {CL_UNSIGNED_INT32, "UNSIGNED_INT32"},
                                                          {CL_HALF_FLOAT, "HALF_FLOAT"},
                                                          {CL_FLOAT, "FLOAT"}};
    std::vector<cl::ImageFormat> formats;
    context.device().context().getSupportedImageFormats(CL_MEM_READ_ONLY, CL_MEM_OBJECT_IMAGE2D, &formats);
    std::map<std::string, std::string> of_order;
    for (const cl::ImageFormat& format : formats) {
        std::string& line = of_order[name_in(orders, format.image_channel_order)];
        line += (line.empty() ? "" : ", ") + name_in(types, format.image_channel_data_type);
    }
    std::string text;
    for (const auto& [order, line] : of_order) text += fmt::format("{:<10} {}\n", order, line);
    return text;
}

Result launch_sample(const Problem& any, LaunchContext& context) {
    const auto& problem = dynamic_cast<const ImagesProblem&>(any);
    require_images(context, problem);
    const std::size_t pixels = problem.values.size();
    // RGBA of floats is the format that every device with images has; the picture is its first channel
    std::vector<cl_float4> texels(pixels);
    for (std::size_t i = 0; i < pixels; ++i) texels[i] = {{problem.values[i], 0, 0, 1}};
    const std::uint64_t bytes = texels.size() * sizeof(cl_float4);
    const cl::Context& of_device = context.device().context();
    const cl::CommandQueue& queue = context.device().queue();
    const cl::ImageFormat format(CL_RGBA, CL_FLOAT);
    const cl::Image2D source(of_device, CL_MEM_READ_ONLY, format, problem.width, problem.height);
    const cl::Image2D sampled(of_device, CL_MEM_WRITE_ONLY, format, problem.width, problem.height);
    const std::array<cl::size_type, 3> origin = {0, 0, 0}, region = {problem.width, problem.height, 1};
    cl::Event event;
    queue.enqueueWriteImage(source, CL_TRUE, origin, region, 0, 0, texels.data(), nullptr, &event);
    context.track("upload picture", StageKind::upload, event, {bytes, 0});

    const Buffer columns = context.uploaded("upload coordinates", std::span(problem.columns));
    const Buffer rows = context.uploaded("upload coordinates", std::span(problem.rows));
    const cl::Sampler sampler(of_device, problem.normalised ? CL_TRUE : CL_FALSE, mode_of(problem.addressing),
                              problem.linear ? CL_FILTER_LINEAR : CL_FILTER_NEAREST);
    cl::Kernel kernel = context.kernel("sample", {});
    set_arguments(kernel, source, sampled, sampler, columns, rows);
    context.launch("sample", kernel, cl::NDRange(problem.width, problem.height), cl::NullRange,
                   {2 * bytes, 0});

    queue.enqueueReadImage(sampled, CL_TRUE, origin, region, 0, 0, texels.data(), nullptr, &event);
    context.track("download picture", StageKind::download, event, {bytes, 0});
    std::vector<float> values(pixels);
    for (std::size_t i = 0; i < pixels; ++i) values[i] = texels[i].s[0];
    context.finish();
    return images_result(problem, values, formats_of(context));
}

}  // namespace

std::vector<ClVariant> images_rows() {
    return {{{.analysis = "images",
              .id = "sampler",
              .title = "A copy through a sampler",
              .description = "A work-item a pixel reads an image by a sampler and writes another image.",
              .source_file = "gpu/basics/images/sample.cl",
              .source = {},
              .entry_points = {"sample"},
              .defines = {},
              .constraints = {.extensions = {}},
              .baseline = true,
              .rank = 20},
             launch_sample}};
}

}  // namespace ks::gpu::basics
