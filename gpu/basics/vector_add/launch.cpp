#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "core/basics/vector_add/vector_add.h"
#include "gpu/basics/exercise_input.h"
#include "gpu/runtime/opencl_backend.h"
#include "gpu/runtime/tuned_defines.h"

namespace ks::gpu::basics {
namespace {

using ks::basics::VectorAddProblem;

/// @param elements per work-item
Result add_vectors(const VectorAddProblem& problem, LaunchContext& context, std::size_t elements,
                   const std::map<std::string, std::string>& defines) {
    require_vectors(context, 3, problem.size(), 0);
    require_group(context, problem.local_size().value_or(1));
    const std::string key = fmt::format("vector_add {} {}", problem.size(), problem.seed());
    const std::uint64_t one = problem.bytes() / 3;
    const auto a = input_on_device(context, key + " a", problem.a(), 2 * one);
    const auto b = input_on_device(context, key + " b", problem.b(), one);
    const Buffer c = touched_output(context, one);
    cl::Kernel kernel = context.kernel("add", defines);
    set_arguments(kernel, static_cast<cl_ulong>(problem.size()), *a, *b, c);
    launch_over_elements(context, "add", kernel, problem.size(), elements, problem.local_size(),
                         3 * sizeof(float));
    Array sums = downloaded_array(context, "download sums", c, ElementType::f32, {problem.size()});
    return vector_add_result(problem, std::move(sums), context.timings());
}

Result launch_items(const VectorAddProblem& problem, LaunchContext& context) {
    return add_vectors(problem, context, 1, {});
}

Result launch_wide(const VectorAddProblem& problem, LaunchContext& context) {
    const auto defines = tuned_defines(context, ElementType::f32);
    return add_vectors(problem, context, number(defines, "WIDTH"), defines);
}

}  // namespace

std::vector<ClVariant> vector_add_rows() {
    return {
        {{.id = "seed.add",
          .title = "One element per work-item",
          .description = "The lecture's first kernel: every work-item adds the elements at its global id.",
          .source_file = "gpu/basics/vector_add/seed_add.cl",
          .entry_points = {"add"},
          .baseline = true,
          .rank = 20},
         launch_items},
        {{.id = "wide.add",
          .title = "Wide loads",
          .description =
              "Each work-item adds several elements, with one vector load per input and one vector store.",
          .source_file = "gpu/basics/vector_add/wide_add.cl",
          .entry_points = {"add"},
          .defines = {{"WIDTH", "4", {"2", "4", "8", "16"}, "elements per work-item"}},
          .rank = 30},
         launch_wide,
         {{"CPU", "", {{"WIDTH", "16"}}}}}};
}

}  // namespace ks::gpu::basics
