#include <CL/opencl.hpp>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/base/error.h"
#include "core/basics/images/images.h"
#include "gpu/basics/images/device_images.h"
#include "gpu/basics/images/image_formats.h"
#include "gpu/runtime/opencl_backend.h"
#include "gpu/runtime/tuned_defines.h"

namespace ks::gpu::basics {
namespace {

using ks::basics::Addressing;
using ks::basics::ImageKind;
using ks::basics::ImagesProblem;

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

Result launch_rows_first(const ImagesProblem& problem, LaunchContext& context) {
    context.require(problem.traits);
    require_images(context, problem);
    require_format(context, problem, CL_MEM_READ_ONLY);
    require_format(context, problem, CL_MEM_WRITE_ONLY);
    const Sampling sampling(context, problem);
    const AnyImage sampled = make_image(context, problem, CL_MEM_WRITE_ONLY);
    std::vector<std::byte> texels = texels_of(problem);
    const Extent extent = extent_of(problem);
    write_image(context, sampling.source, extent, texels);
    cl::Kernel kernel = context.kernel("sample_rows_first", functions_of(problem.type));
    set_arguments(kernel, sampling.source, sampled, sampling.sampler, sampling.columns, sampling.rows);
    context.launch("sample", kernel, cl::NDRange(problem.height, problem.width), cl::NullRange,
                   {2 * texels.size(), 0});
    read_image(context, sampled, extent, texels);
    context.finish();
    return images_result(problem, values_of(problem, texels, false), formats_of(context, problem.kind));
}

Result launch_mirror(const ImagesProblem& problem, LaunchContext& context) {
    context.require(problem.traits);
    require_images(context, problem);
    require_format(context, problem, kernel_reads_and_writes);
    const AnyImage picture = make_image(context, problem, CL_MEM_READ_WRITE);
    std::vector<std::byte> texels = texels_of(problem);
    const Extent extent = extent_of(problem);
    write_image(context, picture, extent, texels);
    cl::Kernel kernel = context.kernel("mirror", functions_of(problem.type));
    set_arguments(kernel, picture, static_cast<cl_int>(problem.width));
    context.launch("mirror", kernel, cl::NDRange((problem.width + 1) / 2, problem.height), cl::NullRange,
                   {2 * texels.size(), 0});
    read_image(context, picture, extent, texels);
    context.finish();
    return images_result(problem, values_of(problem, texels, false), formats_of(context, problem.kind));
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
