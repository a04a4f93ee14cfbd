#include "core/spots/frame_pieces.h"

#include "core/spots/disjoint_sets.h"

namespace ks::spots {
namespace {

std::vector<SignalRun> runs_of(std::span<const std::uint32_t> signal, std::size_t width) {
    std::vector<SignalRun> runs;
    std::uint64_t row_end = 0;  // index of the first pixel after the row of the last run
    std::uint32_t y = 0;
    for (const std::uint32_t pixel : signal) {
        const bool same_row = pixel < row_end;
        if (!same_row) {
            y = static_cast<std::uint32_t>(pixel / width);
            row_end = (std::uint64_t{y} + 1) * width;
        }
        const auto x = static_cast<std::uint32_t>(pixel - (row_end - width));
        if (same_row && runs.back().x1 == x)
            ++runs.back().x1;
        else
            runs.push_back({y, x, x + 1, 0});
    }
    return runs;
}

/// Joins the runs of two rows, [above, row) and [row, end), that share a column.
void join_rows(const std::vector<SignalRun>& runs, std::uint32_t above, std::uint32_t row, std::uint32_t end,
               DisjointSets& sets) {
    for (std::uint32_t a = above, b = row; a < row && b < end;) {
        if (runs[a].x0 < runs[b].x1 && runs[b].x0 < runs[a].x1) sets.join(a, b);
        if (runs[a].x1 < runs[b].x1)
            ++a;
        else
            ++b;
    }
}

}  // namespace

FramePieces pieces_of(std::span<const std::uint32_t> signal, std::size_t width) {
    FramePieces pieces{runs_of(signal, width), 0};
    const auto n = static_cast<std::uint32_t>(pieces.runs.size());
    DisjointSets sets(n);
    for (std::uint32_t above = 0, row = 0, end = 0; row < n; above = row, row = end) {
        const std::uint32_t y = pieces.runs[row].y;
        for (end = row; end < n && pieces.runs[end].y == y;) ++end;
        if (above < row && pieces.runs[above].y + 1 == y) join_rows(pieces.runs, above, row, end, sets);
    }
    // The root of a set is its first run, so it has its number before the others ask for it.
    for (std::uint32_t i = 0; i < n; ++i) {
        const std::uint32_t root = sets.root(i);
        pieces.runs[i].piece = root == i ? pieces.count++ : pieces.runs[root].piece;
    }
    return pieces;
}

}  // namespace ks::spots
