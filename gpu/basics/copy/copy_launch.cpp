#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "core/base/error.h"
#include "core/basics/copy/copy.h"
#include "gpu/basics/exercise_input.h"
#include "gpu/runtime/opencl_backend.h"
#include "gpu/runtime/resident_data.h"
#include "gpu/runtime/tuned_defines.h"

namespace ks::gpu::basics {
namespace {

using ks::basics::BehindTheEnd;
using ks::basics::CopyProblem;
using ks::basics::CopyShape;
using ks::basics::seen_in;
using ks::basics::smaller_shape;

constexpr std::uint64_t u16_bytes = sizeof(std::uint16_t);
constexpr std::size_t guard_values = 4096;  ///< after the copy
constexpr std::uint16_t guard_value = 0xbeef;

/// Throws ks::Error(input) if the array, its copy and `beside` additional bytes do not fit.
/// @param behind number of values after the end of the larger one
void require_copies(const LaunchContext& context, const CopyProblem& problem, std::size_t behind,
                    std::uint64_t beside) {
    const std::uint64_t of_one = problem.bytes() + behind * u16_bytes, both = problem.bytes() + of_one;
    const std::uint64_t over = behind * u16_bytes + beside, budget = context.budget(),
                        one = context.info().largest_allocation;
    const std::uint64_t fit = std::min((budget - std::min(budget, over)) / 2,
                                       one - std::min<std::uint64_t>(one, behind * u16_bytes));
    const CopyShape& shape = problem.shape;
    require_room(context, both + beside, of_one,
                 fmt::format("two arrays of {} x {} x {} values", shape[0], shape[1], shape[2]),
                 smaller_shape(shape, fit / u16_bytes));
}

/// The copy on the device, followed by guard values that must not change.
class GuardedCopy {
  public:
    GuardedCopy(LaunchContext& context, const CopyProblem& problem)
        : context_(context),
          problem_(problem),
          buffer_(context.buffer(problem.bytes() + guard_values * u16_bytes)) {
        guard();
    }

    /// Nothing is copied yet.
    void guard() { context_.fill(buffer_, guard_value, problem_.bytes() + guard_values * u16_bytes); }

    const Buffer& buffer() const { return buffer_; }

    Result result(BehindTheEnd behind) {
        Array copied(ElementType::u16, {problem_.shape[0], problem_.shape[1], problem_.shape[2]});
        context_.download("download copy", buffer_, copied.bytes());
        std::vector<std::uint16_t> guard(guard_values);
        context_.download("download what is behind it", buffer_,
                          std::as_writable_bytes(std::span<std::uint16_t>(guard)), problem_.bytes());
        context_.finish();
        behind.written = guard_values - static_cast<std::size_t>(std::ranges::count(guard, guard_value));
        return copy_result(problem_, std::move(copied), behind, context_.timings());
    }

  private:
    LaunchContext& context_;
    const CopyProblem& problem_;
    Buffer buffer_;
};

std::shared_ptr<const Buffer> source_on_device(LaunchContext& context, const CopyProblem& problem) {
    const auto bytes = std::as_bytes(std::span(problem.values));
    return resident(context,
                    {.key = fmt::format("copy {} {}", problem.count(), problem.seed),
                     .stage = "upload array",
                     .bytes = bytes.size(),
                     .granule = u16_bytes,
                     .in_memory = bytes,
                     .read = {}},
                    problem.bytes() + guard_values * u16_bytes);
}

/// Covers the array by launches that are each short.
/// @param each values of a row per work-item; @param group along x, y and z
void launch_pieces(LaunchContext& context, const cl::Kernel& kernel, const CopyProblem& problem,
                   std::size_t each, const std::array<std::size_t, 3>& group) {
    constexpr std::size_t most = std::size_t{1} << 26;
    const auto [depth, height, width] = seen_in(problem.dimensions, problem.shape);
    const std::array<std::size_t, 3> items = {quotient_up(width, each), height, depth};
    std::array<std::size_t, 3> piece = {};
    for (std::size_t d = 0, left = most; d < 3; ++d) {
        piece[d] = std::min(rounded_up(items[d], group[d]), std::max(group[d], left / group[d] * group[d]));
        left = std::max<std::size_t>(1, left / piece[d]);
    }
    for (std::size_t z = 0; z < items[2]; z += piece[2])
        for (std::size_t y = 0; y < items[1]; y += piece[1])
            for (std::size_t x = 0; x < items[0]; x += piece[0]) {
                const std::array<std::size_t, 3> some = {std::min(piece[0], items[0] - x),
                                                         std::min(piece[1], items[1] - y),
                                                         std::min(piece[2], items[2] - z)};
                const std::uint64_t values = std::min(width - x * each, some[0] * each) * some[1] * some[2];
                std::array<std::size_t, 3> global = {};
                for (std::size_t d = 0; d < 3; ++d) global[d] = rounded_up(some[d], group[d]);
                context.launch("copy", kernel, range_of(global, problem.dimensions),
                               range_of(group, problem.dimensions), {2 * u16_bytes * values, values},
                               range_of({x, y, z}, problem.dimensions));
            }
}

/// @param group along x, y and z
Result copy_by_kernel(const CopyProblem& problem, LaunchContext& context,
                      const std::map<std::string, std::string>& defines, std::size_t each,
                      const std::array<std::size_t, 3>& group) {
    require_copies(context, problem, guard_values, 0);
    const auto from = source_on_device(context, problem);
    GuardedCopy copy(context, problem);
    cl::Kernel kernel = context.kernel(fmt::format("copy_{}d", problem.dimensions), defines);
    const auto [depth, height, width] = seen_in(problem.dimensions, problem.shape);
    set_arguments(kernel, static_cast<cl_ulong>(width), static_cast<cl_ulong>(height),
                  static_cast<cl_ulong>(depth), *from, copy.buffer());
    launch_pieces(context, kernel, problem, each, group);
    return copy.result({});
}

Result copy_plainly(const CopyProblem& problem, LaunchContext& context) {
    const auto defines = tuned_defines(context, ElementType::u16);
    return copy_by_kernel(problem, context, defines, 1, {number(defines, "WG"), 1, 1});
}

/// The widest load whose alignment every row satisfies.
std::size_t aligned_width(const CopyProblem& problem, std::size_t most) {
    if (problem.dimensions == 1) return most;
    std::size_t width = most;
    while (width > 2 && problem.shape[2] % width != 0) width /= 2;
    return width;
}

Result copy_widely(const CopyProblem& problem, LaunchContext& context) {
    auto defines = tuned_defines(context, ElementType::u16);
    if (defines["WIDTH"] == "auto")
        defines["WIDTH"] = std::to_string(aligned_width(problem, context.info().type == "CPU" ? 16 : 8));
    return copy_by_kernel(problem, context, defines, number(defines, "WIDTH") * number(defines, "EACH"),
                          {number(defines, "WG"), 1, 1});
}

Result copy_by_tiles(const CopyProblem& problem, LaunchContext& context) {
    const auto defines = tuned_defines(context, ElementType::u16);
    const std::size_t lx = number(defines, "LX"), ly = number(defines, "LY");
    std::array<std::size_t, 3> group = {lx, ly, 1};
    if (problem.dimensions == 1) group = {lx * ly, 1, 1};
    return copy_by_kernel(problem, context, defines, 1, group);
}

Result copy_by_driver(const CopyProblem& problem, LaunchContext& context) {
    require_copies(context, problem, guard_values, 0);
    const auto from = source_on_device(context, problem);
    GuardedCopy copy(context, problem);
    const auto& queue = context.device().queue();
    cl::Event event;
    if (problem.dimensions == 1) {
        queue.enqueueCopyBuffer(from->cl(), copy.buffer().cl(), 0, 0, problem.bytes(), nullptr, &event);
    } else {
        const auto [depth, height, width] = seen_in(problem.dimensions, problem.shape);
        const std::size_t row = width * u16_bytes, slice = height * row;
        queue.enqueueCopyBufferRect(from->cl(), copy.buffer().cl(), {0, 0, 0}, {0, 0, 0},
                                    {row, height, depth}, row, slice, row, slice, nullptr, &event);
    }
    context.track("copy", StageKind::kernel, event, {problem.moved(), problem.count()});
    return copy.result({});
}

/// The published kernel, then a second run that counts what it reads.
Result copy_as_published(const CopyProblem& problem, LaunchContext& context) {
    constexpr std::size_t most = 2'147'483'647;
    const std::size_t depth = problem.shape[0], height = problem.shape[1], width = problem.shape[2];
    if (problem.count() + width >= most)
        throw Error(
            ErrorKind::input,
            fmt::format("an array of {} values is too large for the published kernel, which uses int indices",
                        problem.count()),
            "copy", smaller_shape(problem.shape, most - 1 - width));
    const std::size_t behind = width + 1;  // as far as it reads
    require_copies(context, problem, std::max(behind, guard_values), (behind + 1) * sizeof(cl_uint));
    const Buffer from = context.buffer(problem.bytes() + behind * u16_bytes);
    context.fill(from, guard_value, problem.bytes() + behind * u16_bytes);
    context.upload("upload array", from, std::as_bytes(std::span(problem.values)));
    const Buffer marks = context.zeros(behind * sizeof(cl_uint)), loading = context.zeros(sizeof(cl_uint));
    GuardedCopy copy(context, problem);
    const cl::NDRange global(depth, rounded_up(height, 12), rounded_up(width, 16)), local(1, 12, 16);
    const auto kernel = [&](const char* counted) {
        cl::Kernel made = context.kernel("copy_3d", {{"COUNTED", counted}});
        set_arguments(made, from, static_cast<cl_int>(depth), static_cast<cl_int>(height),
                      static_cast<cl_int>(width), copy.buffer(), marks, loading);
        return made;
    };
    context.launch("copy", kernel("0"), global, local, {problem.moved(), problem.count()});
    // not a stage, so that the time of the run is that of the copy
    context.not_repeatable("it launches the kernel again, untimed");
    copy.guard();
    context.device().queue().enqueueNDRangeKernel(kernel("1"), cl::NullRange, global, local);
    const auto read = context.downloaded<cl_uint>("download counts", marks, behind);
    const auto items = context.downloaded<cl_uint>("download counts", loading, 1).front();
    const std::size_t groups = depth * (rounded_up(height, 12) / 12) * (rounded_up(width, 16) / 16);
    Result result =
        copy.result({.written = {}, .read = static_cast<std::uint64_t>(std::ranges::count(read, 1U))});
    result.facts["loading_items_of_a_group"] = items / groups;
    return result;
}

}  // namespace

std::vector<ClVariant> copy_rows() {
    const DefineSpec group{"WG", "64", {"1", "16", "64", "256"}, "work-items per group, in a row"};
    const std::vector<std::string> kernels = {"copy_1d", "copy_2d", "copy_3d"};
    return {{{.id = "plain.copy",
              .title = "One value per work-item",
              .description = "memcpy as a kernel: each work-item copies the value at its global ids.",
              .source_file = "gpu/basics/copy/plain.cl",
              .entry_points = kernels,
              .defines = {group},
              .baseline = true,
              .rank = 20},
             copy_plainly},
            {{.id = "tile.copy",
              .title = "Through local memory",
              .description = "Groups load a tile; each item writes a value that another item loaded.",
              .source_file = "gpu/basics/copy/tile.cl",
              .entry_points = kernels,
              .defines = {{"LX", "16", {"8", "16", "32", "64"}, "values per tile row"},
                          {"LY", "12", {"1", "4", "8", "12"}, "rows per tile"}},
              .constraints = {.local_bytes = 64 * 12 * u16_bytes},
              .rank = 10},
             copy_by_tiles},
            {{.id = "wide.copy",
              .title = "Wide loads",
              .description = "Each work-item copies several values of a row with vector loads and stores.",
              .source_file = "gpu/basics/copy/wide.cl",
              .entry_points = kernels,
              .defines = {{"WIDTH", "auto", {"auto", "2", "4", "8", "16"}, "values per load"},
                          {"EACH", "1", {"1", "2", "4", "8", "16"}, "loads per work-item"},
                          group},
              .rank = 40},
             copy_widely,
             {{"GPU", "", {{"EACH", "2"}}}}},
            {{.id = "driver.copy",
              .title = "Copy by the driver",
              .description = "The driver copies the array: clEnqueueCopyBuffer in one dimension, "
                             "clEnqueueCopyBufferRect in two and three.",
              .source_file = "gpu/basics/copy/driver.cl",
              .rank = 30},
             copy_by_driver},
            {{.id = "as_published.3d",
              .title = "As published, in three dimensions",
              .description =
                  "Wrong, so it runs only if you name it: `>` instead of `>=` reads one row and one value "
                  "past the end of the array, and nearly all items load the tile instead of one.",
              .source_file = "gpu/basics/copy/as_published.cl",
              .entry_points = {"copy_3d"},
              .constraints = {.local_bytes = 512, .work_group = 192},
              .takes = {{.trait = "dimensions", .what = "the number of dimensions", .values = {"3"}}},
              .rank = 0,
              .by_name_only = true},
             copy_as_published}};
}

}  // namespace ks::gpu::basics
