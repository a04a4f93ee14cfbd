#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "core/basics/elementwise/elementwise.h"
#include "gpu/basics/exercise_input.h"
#include "gpu/runtime/opencl_backend.h"
#include "gpu/runtime/tuned_defines.h"

namespace ks::gpu::basics {
namespace {

using ks::basics::ElementwiseProblem;

/// @param elements per work-item
Result combine(const ElementwiseProblem& problem, LaunchContext& context, std::size_t elements,
               std::map<std::string, std::string> defines) {
    require_vectors(context, 3, problem.size(), 0);
    const std::size_t group = number(defines, "WG");
    defines["MAP"] = std::string(problem.is_product() ? "0" : "1");
    // The vectors do not depend on the coefficients, and are shared by both analyses.
    const std::string key = fmt::format("elementwise {} {}", problem.size(), problem.seed());
    const std::uint64_t one = problem.bytes() / 3;
    const auto a = input_on_device(context, key + " a", problem.a(), 2 * one);
    const auto b = input_on_device(context, key + " b", problem.b(), one);
    const Buffer c = touched_output(context, one);
    cl::Kernel kernel = context.kernel("combine", defines);
    set_arguments(kernel, static_cast<cl_ulong>(problem.size()), *a, *b, c, problem.k1(), problem.k2());
    launch_over_elements(context, problem.is_product() ? "multiply" : "combine", kernel, problem.size(),
                         elements, group, 3 * sizeof(float));
    Array values = downloaded_array(context, "download result", c, ElementType::f32, {problem.size()});
    return elementwise_result(problem, std::move(values), context.timings());
}

Result launch_scalar(const ElementwiseProblem& problem, LaunchContext& context) {
    return combine(problem, context, 1, tuned_defines(context, ElementType::f32));
}

Result launch_wide_elements(const ElementwiseProblem& problem, LaunchContext& context) {
    const auto defines = tuned_defines(context, ElementType::f32);
    return combine(problem, context, number(defines, "WIDTH"), defines);
}

}  // namespace

std::vector<ClVariant> elementwise_rows() {
    const DefineSpec group{"WG", "256", {"1", "64", "128", "256"}, "work-items per group"};
    std::vector<ClVariant> all;
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
                        .defines = {{"WIDTH", "4", {"2", "4", "8", "16"}, "elements per work-item"}, group},
                        .rank = 30},
                       launch_wide_elements,
                       {{"CPU", "", {{"WIDTH", "16"}, {"WG", "64"}}}}});
    }
    return all;
}

}  // namespace ks::gpu::basics
