#include <string>

#include "gpu/basics/matmul/matmul_launch.h"
#include "gpu/basics/matmul/multiplication.h"
#include "gpu/runtime/tuned_defines.h"

namespace ks::gpu::basics {
namespace {

using Defines = std::map<std::string, std::string>;

/// The part of C that a group of a tiled kernel computes.
struct Tile {
    std::size_t rows, columns;
};

/// Sets EDGES of fours.cl: the remainder of the size beyond whole tiles.
Defines with_edges(Defines defines, std::size_t n, const Tile& tile) {
    const bool whole = n % tile.rows == 0 && n % tile.columns == 0 && n % number(defines, "DEPTH") == 0;
    defines.insert_or_assign("EDGES", std::to_string(whole ? 0 : n % 4 == 0 ? 1 : 2));
    return defines;
}

/// For kernels near the device's peak: launches may be larger than those of the first steps.
MultiplicationPlan plan_of_tiles(LaunchContext& context, const ks::basics::MatmulProblem& problem,
                                 const Defines& defines, const Tile& tile) {
    const std::size_t n = problem.size();
    const bool gpu = context.info().type == "GPU";
    return {.defines = with_edges(defines, n, tile),
            .rate = (gpu ? 1e11 : 5e8) * static_cast<double>(context.info().compute_units),
            .loads = 1 / static_cast<double>(tile.rows) + 1 / static_cast<double>(tile.columns)};
}

/// Dimension 0 has the tiles per row of tiles times the group, dimension 1 the rows of tiles.
Result multiply_tiles(const ks::basics::MatmulProblem& problem, LaunchContext& context,
                      const Defines& defines, const Tile& tile, std::size_t group) {
    Multiplication product(problem, context, plan_of_tiles(context, problem, defines, tile));
    product.cover(tile.rows, [&](std::size_t first, std::size_t last, const Cost& cost) {
        return product.launch(cl::NDRange(quotient_up(product.size(), tile.columns) * group,
                                          quotient_up(last - first, tile.rows)),
                              cl::NDRange(group, 1), cost, cl::NDRange(0, first / tile.rows));
    });
    return product.result();
}

}  // namespace

Result launch_registers(const ks::basics::MatmulProblem& problem, LaunchContext& context) {
    const Defines defines = tuned_defines(context, ElementType::f32);
    const std::size_t tile = number(defines, "TILE"), side = tile / number(defines, "ITEM");
    Multiplication product(problem, context, plan_of_tiles(context, problem, defines, {tile, tile}));
    product.cover(tile, [&](std::size_t first, std::size_t last, const Cost& cost) {
        return product.launch(
            cl::NDRange(quotient_up(product.size(), tile) * side, quotient_up(last - first, tile) * side),
            cl::NDRange(side, side), cost, cl::NDRange(0, first / tile * side));
    });
    return product.result();
}

Result launch_buffered(const ks::basics::MatmulProblem& problem, LaunchContext& context) {
    const Defines defines = tuned_defines(context, ElementType::f32);
    const Tile tile{number(defines, "TILE_M"), number(defines, "TILE_N")};
    return multiply_tiles(problem, context, defines, tile, tile.rows * tile.columns / 64);
}

Result launch_tensor(const ks::basics::MatmulProblem& problem, LaunchContext& context) {
    return multiply_tiles(problem, context, tuned_defines(context, ElementType::f32), {128, 128}, 256);
}

}  // namespace ks::gpu::basics
