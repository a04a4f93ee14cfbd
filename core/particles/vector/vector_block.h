#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

#include "core/particles/problem.h"
#include "core/particles/scaling.h"
#include "core/particles/vector/vector_functions.h"

/// How host.vector cuts its targets into blocks.
namespace ks::particles {

constexpr std::size_t lanes = 256;  // maximum targets per block: their sums stay in the L1 cache
constexpr std::size_t unit = 16;    // a block is summed in whole units; arrays are padded accordingly
constexpr std::size_t tile = 128;   // sources whose terms are added in the precision of the terms

/// Sources in the form of PackedSources, or a part of them.
template <class T>
struct Sources {
    const T *xyzw, *more;
    std::size_t count, vectors;
    bool complex_weights;
    T turns;  ///< as in Scaling

    /// Numbers per source in `more`.
    std::size_t others() const { return vectors - 1 + (complex_weights ? vectors : 0); }
    Sources part(std::size_t begin, std::size_t end) const {
        Sources some = *this;
        some.xyzw += 4 * begin;
        some.more += others() * begin;
        some.count = end - begin;
        return some;
    }
};

/// Targets that are summed together: arbitrary points, or points in a row of a grid. In a row only the
/// coordinate `along` varies, and the squares of the other two differences are shared.
template <class T>
struct Block {
    std::size_t count = 0;  ///< targets, in whole units
    const T* at[3] = {};    ///< x, y and z; for a row only `along`
    std::size_t along = 3;  ///< axis of a row; 3: not a row
    T fixed[3] = {};        ///< the other coordinates of the row
    alignas(64) T re[lanes], im[lanes];
    alignas(64) BitsOf<T> skipped[lanes];
    std::vector<T> terms = {};      ///< of a tile, [row][lane], if there are more than re and im
    std::vector<double> sums = {};  ///< [row][lane]; gradients without Scaling::slope

    void clear(std::size_t rows) {
        std::fill_n(skipped, lanes, BitsOf<T>{0});
        sums.assign(rows * lanes, 0.0);
    }
};

/// Adds the terms of all sources to the sums of a block, and counts the skipped pairs.
template <class T>
using SumBlock = void (*)(Block<T>&, const Sources<T>&);

/// How targets are cut into blocks: a row of a grid into pieces of similar length, points in sequence.
struct Cut {
    std::size_t row, pieces;  ///< targets per row, blocks per row
    std::size_t first;        ///< row of the first target; 0 for points
    std::size_t rows;         ///< rows with targets of the problem
    std::size_t skip;         ///< targets of the first row that precede the problem's

    explicit Cut(const SumProblem& problem)
        : row(problem.on_planes() ? problem.planes().side
              : problem.on_grid() ? problem.grid().side
                                  : problem.n_targets()),
          pieces((row + lanes - 1) / lanes),
          first(in_rows(problem) ? problem.first_target() / row : 0),
          rows(in_rows(problem) ? (problem.first_target() + problem.n_targets() + row - 1) / row - first : 1),
          skip(in_rows(problem) ? problem.first_target() % row : 0) {}
    static bool in_rows(const SumProblem& problem) { return problem.on_planes() || problem.on_grid(); }
    std::size_t blocks() const { return rows * pieces; }
    /// First target of a piece of a row: a multiple of the unit, or the end of the row.
    std::size_t start(std::size_t piece) const {
        return std::min(row, (row * piece / pieces + unit - 1) / unit * unit);
    }
};

/// Points `block` at `count` targets of a row from `start` on; arrays are padded to whole units.
template <class T>
void place_block(Block<T>& block, const SumProblem& problem, const std::vector<T>& places, std::size_t row,
                 std::size_t start, std::size_t count) {
    block.count = (count + unit - 1) / unit * unit;
    if (problem.on_planes()) {
        const std::size_t side = problem.planes().side, plane = row / side, i = row % side;
        const T *x = places.data(), *y = x + side, *z = y + side, *fixed = z + side;
        block.along = plane == 0 ? 1 : 2;
        block.at[block.along] = (plane == 0 ? y : z) + start;
        block.fixed[0] = plane == 2 ? fixed[0] : x[i];
        block.fixed[1] = plane == 1 ? fixed[1] : y[i];
        block.fixed[2] = fixed[2];
    } else if (problem.on_grid()) {
        const std::size_t side = problem.grid().side;
        block.along = 2;
        block.at[2] = places.data() + 2 * side + start;
        block.fixed[0] = places[row / side];
        block.fixed[1] = places[side + row % side];
    } else {
        for (std::size_t axis = 0; axis < 3; ++axis)
            block.at[axis] = places.data() + axis * problem.n_targets() + start;
    }
}

}  // namespace ks::particles
