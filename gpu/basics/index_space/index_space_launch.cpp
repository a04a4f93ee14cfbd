#include <fmt/format.h>

#include <vector>

#include "core/base/error.h"
#include "core/basics/index_space/index_space.h"
#include "gpu/basics/exercise_input.h"
#include "gpu/runtime/opencl_backend.h"

namespace ks::gpu::basics {
namespace {

using ks::basics::IndexSpaceProblem;
using ks::basics::Sizes;

/// Throws ks::Error(input) if the device does not support groups of this size.
void require_groups(LaunchContext& context, const Sizes& local, std::size_t dimensions) {
    const auto along = context.device().device().getInfo<CL_DEVICE_MAX_WORK_ITEM_SIZES>();
    for (std::size_t d = 0; d < dimensions; ++d)
        if (local[d] > along[d])
            throw Error(ErrorKind::input,
                        fmt::format("groups of {} work-items along {} are too large: {} allows at most {}",
                                    local[d], "xyz"[d], context.info().name, along[d]),
                        "local size");
    require_group(context, local[0] * local[1] * local[2]);
}

Result launch_ids(const IndexSpaceProblem& problem, LaunchContext& context) {
    const std::size_t dimensions = problem.dimensions;
    if (problem.local) require_groups(context, *problem.local, dimensions);
    require_room(context, problem.bytes(), problem.bytes(),
                 fmt::format("ids of {} work-items", problem.items()), "choose a smaller global size");
    const Buffer ids = touched_output(context, problem.bytes());
    cl::Kernel kernel = context.kernel("write_ids", {});
    set_arguments(kernel, static_cast<cl_uint>(dimensions), ids);
    context.launch("write ids", kernel, range_of(problem.global, dimensions),
                   problem.local ? range_of(*problem.local, dimensions) : cl::NullRange,
                   {problem.bytes(), 0});
    const auto rows =
        context.downloaded<std::uint32_t>("download ids", ids, problem.rows() * problem.items());
    return index_space_result(problem, rows);
}

}  // namespace

std::vector<ClVariant> index_space_rows() {
    return {{{.id = "write.ids",
              .title = "Every item writes its ids",
              .description = "Each work-item writes the values of all index-space functions.",
              .source_file = "gpu/basics/index_space/write_ids.cl",
              .entry_points = {"write_ids"},
              .baseline = true,
              .rank = 20},
             launch_ids}};
}

}  // namespace ks::gpu::basics
