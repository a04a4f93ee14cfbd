#pragma once

#include <CL/cl.h>

#include <cstddef>
#include <span>
#include <vector>

#include "gpu/xpcs/gram_plan.h"

namespace ks::gpu::xpcs {

/// A tile as gram_tiled.cl reads it.
struct TileDescriptor {
    cl_ulong a, b;
    cl_uint row, pixels, sa, sb, t1, t2, two_time, flush;
};
static_assert(sizeof(TileDescriptor) == 48);

/// A tile with its position in the totals.
struct PlacedTile {
    TileDescriptor descriptor;
    std::size_t bin, diagonal;  ///< within the group; in tiles

    /// Multiply-adds of the whole tile.
    double work(std::size_t tile) const;
};

/// All tiles of a step that hold a wanted delay, in the order of t1.
std::vector<PlacedTile> tiles_of(const ks::xpcs::CorrelationProblem& problem, const GramShape& shape,
                                 const GramPlan& plan, const PairStep& step);

/// One launch: the tiles with the longest rows first (which balances the load better), and for each touched
/// diagonal of tiles its tiles in the order of t1, as gram_combine.cl reads them.
struct TileBatch {
    std::vector<TileDescriptor> tiles;
    std::vector<cl_uint4> runs;
    std::vector<cl_uint> order;
    double work = 0;
};
TileBatch make_batch(std::span<const PlacedTile> some, std::size_t tile, std::size_t tile_rows);

}  // namespace ks::gpu::xpcs
