#include "gpu/particles/kernel_shape.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "core/base/error.h"
#include "core/particles/analysis.h"
#include "gpu/runtime/tuned_defines.h"

namespace ks::gpu::particles {

using namespace ks::particles;

namespace {
/// Sources per cell, which is a tile in the kernels that use cells.
constexpr std::size_t cell_size = 256;
}  // namespace

KernelShape shape_of(const SumKernel& kernel, const LaunchContext& context, const Defines& defines,
                     Precision precision) {
    KernelShape shape;
    shape.entry_point = context.variant().entry_points.front();
    shape.group = number(defines, kernel.pairs ? "TARGETS" : "WG");
    shape.targets = kernel.targets(defines, shape.group, precision);
    shape.local = cl::NDRange(shape.group);
    if (!kernel.pairs) return shape;
    shape.across = number(defines, "SOURCES");
    if (shape.group * shape.across > context.info().largest_work_group)
        throw Error(ErrorKind::input,
                    fmt::format("{} has work-groups of {} x {} = {} work-items, but {} allows at most {}",
                                context.variant().id, shape.group, shape.across, shape.group * shape.across,
                                context.info().name, context.info().largest_work_group),
                    "group size", "set smaller TARGETS and SOURCES with --define, or choose another variant");
    shape.local = cl::NDRange(shape.group, shape.across);
    return shape;
}

std::vector<Pass> passes_of(const SumKernel& kernel, const SumProblem& problem) {
    constexpr std::size_t rows = 8, max_vectors = 4;
    const std::size_t each = problem.quantities() * problem.parts();
    if (kernel.cells) return {{0, 1, cell_size}};
    const std::size_t at_once = kernel.pairs ? 1 : std::clamp<std::size_t>(rows / each, 1, max_vectors);
    std::vector<Pass> passes;
    for (std::size_t first = 0; first < problem.n_vectors(); first += at_once)
        passes.push_back({first, std::min(at_once, problem.n_vectors() - first)});
    return passes;
}

Defines defines_of(const SumKernel& kernel, const SumProblem& problem, const LaunchContext& context,
                   std::size_t vectors) {
    Defines defines = defines_of(problem, context, vectors);
    if (kernel.pairs) {
        // As published for few sources: exactly as many rows of work-items as sources.
        const std::size_t maximum = number(defines, "SOURCES");
        defines["SOURCES"] = std::to_string(std::min(maximum, problem.n_sources()));
    }
    if (kernel.cells) {
        defines["TILE"] = std::to_string(cell_size);
        const std::size_t largest = context.info().largest_work_group;
        if (number(defines, "WG") > largest) defines["WG"] = std::to_string(std::max(cell_size, largest));
    }
    return defines;
}

Defines defines_of(const SumProblem& problem, const LaunchContext& context, std::size_t vectors) {
    const SumSettings& settings = problem.settings();
    const bool single = settings.precision == Precision::f32;
    const bool several = vectors * problem.quantities() > 1;
    Defines defines =
        tuned_defines(context, single ? ElementType::f32 : ElementType::f64, several ? "" : one_sum);
    const auto set = [&defines](const char* name, std::string value) {
        defines.insert_or_assign(name, std::move(value));
    };
    set("REAL", single ? "float" : "double");
    set("REAL4", single ? "float4" : "double4");
    set("INT", single ? "int" : "long");
    if (!single) set("DOUBLES", std::to_string(1));
    set("KERNEL", std::to_string(static_cast<int>(settings.kernel)));
    set("COMPLEX_WEIGHTS", std::to_string(int{problem.sources().is_complex()}));
    set("PLANES", std::to_string(int{problem.on_planes()}));
    if (context.info().vendor.find("NVIDIA") != std::string::npos) set("PTX", std::to_string(1));
    if (problem.on_grid()) set("GRID", std::to_string(1));
    if (several) {
        set("VECTORS", std::to_string(vectors));
        set("GRADIENT", std::to_string(int{settings.gradient}));
    }
    return defines;
}

std::size_t sources_of_launch(const LaunchContext& context, std::size_t usual) {
    return context.request().shortest_launches ? 2 * cell_size : usual;
}

std::size_t sources_in_time(std::size_t targets, bool on_gpu) {
    constexpr std::size_t least = 256, most = std::size_t{1} << 20;
    const std::size_t pairs = std::size_t{1} << (on_gpu ? 35 : 28);
    return std::clamp(pairs / std::max<std::size_t>(targets, 1) / least * least, least, most);
}

void require_able(const SumProblem& problem, const LaunchContext& context, const Defines& defines) {
    context.require(traits_of(problem));
    const auto mixed = defines.find("MIXED");
    if (mixed != defines.end() && mixed->second == "2" && !context.info().fp64)
        throw Error(ErrorKind::input,
                    fmt::format("{} does not support double precision", context.info().name), "define MIXED");
}

}  // namespace ks::gpu::particles
