#include "gpu/basics/images/image_formats.h"

#include <fmt/format.h>
#include <CL/opencl.hpp>

#include <algorithm>
#include <map>
#include <vector>

#include "core/base/error.h"

namespace ks::gpu::basics {
namespace {

using ks::basics::ChannelType;
using ks::basics::ImageKind;
using ks::basics::ImagesProblem;

std::string name_in(const std::map<unsigned, const char*>& names, unsigned value) {
    const auto found = names.find(value);
    return found == names.end() ? fmt::format("{:#x}", value) : found->second;
}

std::string order_name(const cl::ImageFormat& format) {
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
    return name_in(orders, format.image_channel_order);
}

std::string type_name(const cl::ImageFormat& format) {
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
    return name_in(types, format.image_channel_data_type);
}

std::vector<cl::ImageFormat> supported(LaunchContext& context, ImageKind kind, cl_mem_flags flags) {
    std::vector<cl::ImageFormat> formats;
    context.device().context().getSupportedImageFormats(flags, object_type_of(kind), &formats);
    return formats;
}

}  // namespace

cl_mem_object_type object_type_of(ImageKind kind) {
    constexpr cl_mem_object_type types[] = {CL_MEM_OBJECT_IMAGE2D, CL_MEM_OBJECT_IMAGE1D,
                                            CL_MEM_OBJECT_IMAGE3D, CL_MEM_OBJECT_IMAGE1D_ARRAY,
                                            CL_MEM_OBJECT_IMAGE2D_ARRAY};
    return types[static_cast<std::size_t>(kind)];
}

cl_channel_type cl_type_of(ChannelType type) {
    constexpr cl_channel_type types[] = {CL_FLOAT, CL_UNORM_INT8, CL_SIGNED_INT32, CL_UNSIGNED_INT16};
    return types[static_cast<std::size_t>(type)];
}

std::string formats_of(LaunchContext& context, ImageKind kind) {
    std::map<std::string, std::string> of_order;
    for (const cl::ImageFormat& format : supported(context, kind, CL_MEM_READ_ONLY)) {
        std::string& line = of_order[order_name(format)];
        line += (line.empty() ? "" : ", ") + type_name(format);
    }
    std::string text;
    for (const auto& [order, line] : of_order) text += fmt::format("{:<10} {}\n", order, line);
    return text;
}

void require_format(LaunchContext& context, const ImagesProblem& problem, cl_mem_flags flags) {
    const auto formats = supported(context, problem.kind, flags);
    const bool there = std::ranges::any_of(formats, [&](const cl::ImageFormat& format) {
        return format.image_channel_order == CL_RGBA &&
               format.image_channel_data_type == cl_type_of(problem.type);
    });
    if (there) return;
    throw Error(
        ErrorKind::input,
        fmt::format("{} does not support images of the kind {} with channel order RGBA and channel type {} "
                    "for kernels that {} them",
                    context.info().name, name_of(problem.kind), name_of(problem.type),
                    flags == CL_MEM_READ_ONLY    ? "read"
                    : flags == CL_MEM_WRITE_ONLY ? "write"
                                                 : "read and write"),
        "images", "choose another channel type or kind");
}

}  // namespace ks::gpu::basics
