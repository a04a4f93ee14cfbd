#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include <CL/cl.h>

#include "core/base/array.h"
#include "core/xpcs/correlation.h"
#include "gpu/xpcs/gram_plan.h"

namespace ks::gpu::xpcs {

/// The tiles of a group, as gram_tiled.cl reads them.
struct TileDescriptor {
    cl_ulong a, b;
    cl_uint row, pixels, sa, sb, t1, t2, two_time, flush, step, unused;
};
static_assert(sizeof(TileDescriptor) == 56);

/// What a group multiplies, span x span tiles, with the position of the first of them in the totals.
struct PlacedTiles {
    TileDescriptor descriptor;
    std::size_t bin, diagonal;  ///< within the group of bins; in tiles

    /// Multiply-adds of all of them.
    double work(const GramShape& shape) const;
};

/// All tiles of a step that hold a wanted delay, in the order of t1.
std::vector<PlacedTiles> tiles_of(const ks::xpcs::CorrelationProblem& problem, const GramShape& shape,
                                  const GramPlan& plan, const PairStep& step);

/// One launch. Its groups are ordered by the length of their rows, the longest first, which balances the load
/// better, and those in steps bin by bin in squares, so that those which run together share rows. In
/// addition, there is a list for each diagonal of tiles that the launch touches: its tiles in the order of
/// t1, as gram_combine.cl reads them.
struct TileBatch {
    std::vector<TileDescriptor> groups;
    std::vector<cl_uint4> runs;
    std::vector<cl_uint> order;
    double work = 0;
};
TileBatch make_batch(std::span<const PlacedTiles> some, const GramShape& shape, std::size_t tile_rows);

/// Sums along one diagonal (or a piece of it): the results of gram_diagonals.cl, which gram_combine.cl
/// merges.
struct DiagonalPart {
    double g = 0, ss_over_n = 0, mean = 0, m2 = 0;
    std::uint64_t terms = 0;

    /// Merges a piece that comes later in t1 (pairwise formula of Chan, Golub and LeVeque, 1983).
    void merge(const DiagonalPart& later);
    double g2() const;
    double g2_err() const;
};

/// Totals of a group of bins, [bin][diagonal of tiles][diagonal k of a tile], k < 2 tile.
class GramTotals {
  public:
    /// The results of gram_combine.cl, as downloaded.
    /// @param floats G is a sum of doubles, else of integers
    GramTotals(Array combined, std::size_t bins, std::size_t tile_rows, std::size_t tile, bool floats)
        : tile_rows_(tile_rows),
          tile_(tile),
          values_(bins * tile_rows * 2 * tile),
          combined_(std::move(combined)),
          floats_(floats) {}
    /// Zeros, to be filled through at().
    GramTotals(std::size_t bins, std::size_t tile_rows, std::size_t tile)
        : tile_rows_(tile_rows), tile_(tile), values_(bins * tile_rows * 2 * tile), parts_(values_) {}

    DiagonalPart& at(std::size_t bin, std::size_t diagonal, std::size_t k) {
        return parts_[(bin * tile_rows_ + diagonal) * 2 * tile_ + k];
    }
    /// Sums for one delay. The delay lies on diagonal k = delay mod tile + tile - 1 of one diagonal of tiles.
    /// If delay mod tile is not 0, it also lies on the lower half of the next diagonal of tiles.
    DiagonalPart delay(std::size_t bin, std::size_t tau) const;

  private:
    DiagonalPart part(std::size_t bin, std::size_t diagonal, std::size_t k) const;

    std::size_t tile_rows_, tile_, values_;
    std::vector<DiagonalPart> parts_;
    std::optional<Array> combined_;  ///< instead of the parts
    bool floats_ = false;
};

}  // namespace ks::gpu::xpcs
