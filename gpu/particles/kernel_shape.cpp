#include "gpu/particles/kernel_shape.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "core/base/error.h"
#include "core/particles/traits.h"
#include "gpu/particles/tuning.h"
#include "gpu/runtime/tuned_defines.h"

namespace ks::gpu::particles {

using namespace ks::particles;

namespace {
/// Sources of a cell, which is a tile of source.cells and tensor.cells.
constexpr std::size_t cell_size = 256;

bool is_block(const std::string& variant) {
    return variant == "seed.block" || variant == "seed.block.tuned";
}

bool takes_cells(const std::string& variant) {
    return variant == "source.cells" || variant == "tensor.cells";
}

/// Of a work-item.
std::size_t targets_of(const std::string& variant, const Defines& defines, Precision precision) {
    if (variant == "vector.cpu") return number(defines, "BLOCKS") * (precision == Precision::f32 ? 16 : 8);
    return variant == "target.tiled" ? 1 : number(defines, "ITEMS");
}
}  // namespace

KernelShape shape_of(const LaunchContext& context, const Defines& defines, Precision precision) {
    const std::string& id = context.variant().id;
    KernelShape shape;
    shape.entry_point = context.variant().entry_points.front();
    if (is_block(id)) {
        shape.group = shape.targets = number(defines, "TARGETS");
        shape.across = number(defines, "SOURCES");
        if (shape.group * shape.across > context.info().largest_work_group)
            throw Error(ErrorKind::input,
                        fmt::format("{} has groups of {} x {} = {} work-items, and {} takes at most {}", id,
                                    shape.group, shape.across, shape.group * shape.across,
                                    context.info().name, context.info().largest_work_group),
                        "group size",
                        "seed.block.tuned has smaller ones, or set TARGETS and SOURCES by --define");
        shape.local = cl::NDRange(shape.group, shape.across);
        return shape;
    }
    shape.group = number(defines, "WG");
    shape.local = cl::NDRange(shape.group);
    // A warp of 32 work-items has TILES rows of 16 targets there.
    shape.targets = id == "tensor.cells" ? shape.group / 2 * number(defines, "TILES")
                                         : shape.group * targets_of(id, defines, precision);
    return shape;
}

std::vector<Pass> passes_of(const SumProblem& problem, const std::string& variant) {
    constexpr std::size_t rows = 8, most_vectors = 4;
    const std::size_t each = problem.quantities() * problem.parts();
    if (takes_cells(variant)) return {{0, 1, cell_size}};
    const std::size_t at_once = is_block(variant) ? 1 : std::clamp<std::size_t>(rows / each, 1, most_vectors);
    std::vector<Pass> passes;
    for (std::size_t first = 0; first < problem.n_vectors(); first += at_once)
        passes.push_back({first, std::min(at_once, problem.n_vectors() - first)});
    return passes;
}

Defines defines_of(const SumProblem& problem, const LaunchContext& context, std::size_t vectors) {
    const SumSettings& settings = problem.settings();
    const bool single = settings.precision == Precision::f32;
    Defines defines = tuned_defines(context, tuning_table(), single ? ElementType::f32 : ElementType::f64);
    if (is_block(context.variant().id)) {
        // As published where they are few: just as many rows of work-items as there are sources.
        const std::size_t most = number(defines, "SOURCES");
        defines["SOURCES"] = std::to_string(std::min(most, problem.n_sources()));
    }
    const auto set = [&defines](const char* name, std::string value) {
        defines.insert_or_assign(name, std::move(value));
    };
    if (takes_cells(context.variant().id)) {
        set("TILE", std::to_string(cell_size));
        const std::size_t largest = context.info().largest_work_group;
        if (number(defines, "WG") > largest) set("WG", std::to_string(std::max(cell_size, largest)));
    }
    set("REAL", single ? "float" : "double");
    set("REAL4", single ? "float4" : "double4");
    set("INT", single ? "int" : "long");
    if (!single) set("DOUBLES", std::to_string(1));
    set("KERNEL", std::to_string(static_cast<int>(settings.kernel)));
    set("COMPLEX_WEIGHTS", std::to_string(int{problem.sources().is_complex()}));
    set("PLANES", std::to_string(int{problem.on_planes()}));
    if (context.info().vendor.find("NVIDIA") != std::string::npos) set("PTX", std::to_string(1));
    if (problem.on_grid()) set("GRID", std::to_string(1));
    if (vectors * problem.quantities() > 1) {
        set("VECTORS", std::to_string(vectors));
        set("GRADIENT", std::to_string(int{settings.gradient}));
    }
    return defines;
}

void require_able(const SumProblem& problem, const LaunchContext& context, const Defines& defines) {
    context.require(traits_of(problem));
    const auto mixed = defines.find("MIXED");
    if (mixed != defines.end() && mixed->second == "2" && !context.info().fp64)
        throw Error(ErrorKind::input, fmt::format("{} has no double precision", context.info().name),
                    "define MIXED");
}

}  // namespace ks::gpu::particles
