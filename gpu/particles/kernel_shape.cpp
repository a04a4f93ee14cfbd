#include "gpu/particles/kernel_shape.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "core/run/error.h"
#include "gpu/particles/tuning.h"
#include "gpu/runtime/tuned_defines.h"

namespace ks::gpu::particles {

using namespace ks::particles;

namespace {
/// Sources of a cell, which is a tile of source.cells and tensor.cells.
constexpr std::size_t cell_size = 256;

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
    if (id == "seed.block") {
        shape.group = shape.targets = number(defines, "TARGETS");
        shape.across = number(defines, "SOURCES");
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
    const std::size_t at_once =
        variant == "seed.block" ? 1 : std::clamp<std::size_t>(rows / each, 1, most_vectors);
    std::vector<Pass> passes;
    for (std::size_t first = 0; first < problem.n_vectors(); first += at_once)
        passes.push_back({first, std::min(at_once, problem.n_vectors() - first)});
    return passes;
}

Defines defines_of(const SumProblem& problem, const LaunchContext& context, std::size_t vectors) {
    const SumSettings& settings = problem.settings();
    const bool single = settings.precision == Precision::f32;
    Defines defines = tuned_defines(context, tuning_table(), single ? ElementType::f32 : ElementType::f64);
    if (context.variant().id == "seed.block") {
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
    const bool single = problem.settings().precision == Precision::f32;
    const std::string& id = context.variant().id;
    if (problem.settings().gradient && id == "seed.block")
        throw Error(ErrorKind::input,
                    "seed.block sums potentials only, as published: expected gradient off, found on",
                    "gradient", "choose another variant");
    if (takes_cells(id) && (problem.settings().kernel == Kernel::helmholtz || problem.n_rows() > 1))
        throw Error(
            ErrorKind::input,
            fmt::format("{} sums potentials of one real vector of weights: expected kernel rbf or laplace "
                        "with gradient off, found another problem",
                        id),
            "kernel", "choose another variant");
    if (!single && (id == "mixed" || id == "exp.poly" || takes_cells(id)))
        throw Error(ErrorKind::input,
                    fmt::format("{} has float products: expected precision f32, found f64", id), "precision",
                    "choose another variant");
    const auto mixed = defines.find("MIXED");
    if ((!single || (mixed != defines.end() && mixed->second == "2")) && !context.info().fp64)
        throw Error(ErrorKind::input, fmt::format("{} has no double precision", context.info().name),
                    "precision");
}

}  // namespace ks::gpu::particles
