#include <fmt/format.h>

#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/basics/elementwise/elementwise.h"
#include "gpu/basics/exercise_input.h"
#include "gpu/runtime/opencl_backend.h"
#include "gpu/runtime/tuned_defines.h"

namespace ks::gpu::basics {
namespace {

using ks::basics::Elementwise;
using ks::basics::ElementwiseProblem;

/// @param elements per work-item
Result compute(const ElementwiseProblem& problem, LaunchContext& context, std::size_t elements,
               std::map<std::string, std::string> defines) {
    const bool is_sum = problem.what().kind == Elementwise::Kind::sum;
    std::optional<std::size_t> group = problem.what().local_size;
    require_vectors(context, 3, problem.size(), 0);
    require_group(context, group.value_or(1));
    if (!is_sum) {
        group = number(defines, "WG");
        defines["MAP"] = std::string(problem.is_combination() ? "1" : "0");
    }
    // The vectors do not depend on the operation, and are shared by all analyses.
    const std::string key = fmt::format("elementwise {} {}", problem.size(), problem.seed());
    const std::uint64_t one = problem.bytes() / 3;
    const auto a = input_on_device(context, key + " a", problem.a(), 2 * one);
    const auto b = input_on_device(context, key + " b", problem.b(), one);
    const Buffer c = touched_output(context, one);
    cl::Kernel kernel = context.kernel(is_sum ? "add" : "combine", defines);
    const auto size = static_cast<cl_ulong>(problem.size());
    if (is_sum)
        set_arguments(kernel, size, *a, *b, c);
    else
        set_arguments(kernel, size, *a, *b, c, problem.what().k1, problem.what().k2);
    launch_over_elements(context, problem.what().stage(), kernel, problem.size(), elements, group,
                         3 * sizeof(float));
    Array values = downloaded_array(context, is_sum ? "download sums" : "download result", c,
                                    ElementType::f32, {problem.size()});
    return elementwise_result(problem, std::move(values), context.timings());
}

Result launch_scalar(const ElementwiseProblem& problem, LaunchContext& context) {
    return compute(problem, context, 1, tuned_defines(context, ElementType::f32));
}

Result launch_wide_elements(const ElementwiseProblem& problem, LaunchContext& context) {
    const auto defines = tuned_defines(context, ElementType::f32);
    return compute(problem, context, number(defines, "WIDTH"), defines);
}

}  // namespace

std::vector<ClVariant> elementwise_rows() {
    const DefineSpec group{"WG", "256", {"1", "64", "128", "256"}, "work-items per group"};
    const DefineSpec width{"WIDTH", "4", {"2", "4", "8", "16"}, "elements per work-item"};
    std::vector<ClVariant> all{
        {{.analysis = "vector_add",
          .id = "seed.add",
          .title = "One element per work-item",
          .description = "The lecture's first kernel: every work-item adds the elements at its global id.",
          .source_file = "gpu/basics/vector_add/seed_add.cl",
          .entry_points = {"add"},
          .baseline = true,
          .rank = 20},
         launch_scalar},
        {{.analysis = "vector_add",
          .id = "wide.add",
          .title = "Wide loads",
          .description =
              "Each work-item adds several elements, with one vector load per input and one vector store.",
          .source_file = "gpu/basics/vector_add/wide_add.cl",
          .entry_points = {"add"},
          .defines = {width},
          .rank = 30},
         launch_wide_elements,
         {{"CPU", "", {{"WIDTH", "16"}}}}}};
    for (const char* analysis : {"multiply", "map"}) {
        all.push_back({{.analysis = analysis,
                        .id = "seed.scalar",
                        .title = "One element per work-item",
                        .description = "The lecture's kernel: the global id replaces the loop counter.",
                        .source_file = "gpu/basics/elementwise/scalar.cl",
                        .entry_points = {"combine"},
                        .defines = {group},
                        .baseline = true,
                        .rank = 20},
                       launch_scalar});
        all.push_back({{.analysis = analysis,
                        .id = "wide",
                        .title = "Wide loads",
                        .description = "Each work-item computes several elements, with one vector load per "
                                       "input and one vector store.",
                        .source_file = "gpu/basics/elementwise/wide.cl",
                        .entry_points = {"combine"},
                        .defines = {width, group},
                        .rank = 30},
                       launch_wide_elements,
                       {{"CPU", "", {{"WIDTH", "16"}, {"WG", "64"}}}}});
    }
    return all;
}

}  // namespace ks::gpu::basics
