#include "core/spots/grouping/frame_pieces.h"

#include <array>
#include <utility>

#include "core/spots/grouping/disjoint_sets.h"

namespace ks::spots {
namespace {

// Where runs start, end and meet is as random as the signal: branches that depend on it are mispredicted so
// often that loops here advance and store without branches.

/// Upper bound of the number of runs, from gaps in the signal and rows.
std::size_t max_runs(std::span<const std::uint32_t> signal, std::size_t width) {
    std::size_t gaps = 0;
    for (std::size_t i = 1; i < signal.size(); ++i) gaps += signal[i] != signal[i - 1] + 1 ? 1 : 0;
    return 1 + gaps + signal.back() / width - signal.front() / width;
}

void find_runs(std::span<const std::uint32_t> signal, std::size_t width, std::vector<SignalRun>& runs) {
    runs.resize(signal.empty() ? 0 : max_runs(signal, width) + 1);
    std::size_t count = 0;
    std::uint64_t row_end = 0;
    std::uint32_t y = 0, row = 0, before = 0;
    for (const std::uint32_t pixel : signal) {
        bool starts = pixel != before + 1;
        if (pixel >= row_end) {
            y = static_cast<std::uint32_t>(pixel / width);
            row = static_cast<std::uint32_t>(y * width);
            row_end = std::uint64_t{row} + width;
            starts = true;
        }
        const std::uint32_t x = pixel - row;
        runs[count] = {y, x, 0, 0};  // overwritten by the next one to start
        count += std::size_t{starts};
        runs[count - 1].x1 = x + 1;
        before = pixel;
    }
    runs.resize(count);
}

/// Calls meet(a, b) for all pairs of runs with a column in common, b being `down` rows below a, in the order
/// of these columns.
template <class Meet>
void each_pair(std::span<const SignalRun> above, std::span<const SignalRun> below, std::uint32_t down,
               const Meet& meet) {
    struct Pair {
        std::uint32_t a, b;
    };
    std::array<Pair, 512> pairs;
    std::size_t count = 0;
    const auto give = [&] {
        for (std::size_t k = 0; k < count; ++k) meet(pairs[k].a, pairs[k].b);
        count = 0;
    };
    std::uint32_t i = 0, j = 0;
    const auto n = static_cast<std::uint32_t>(above.size()), m = static_cast<std::uint32_t>(below.size());
    while ((i < n) & (j < m)) {
        const SignalRun &a = above[i], &b = below[j];
        const std::uint64_t a_row = std::uint64_t{a.y + down} << 32, b_row = std::uint64_t{b.y} << 32;
        const bool met = ((a_row | a.x0) < (b_row | b.x1)) & ((b_row | b.x0) < (a_row | a.x1));
        pairs[count] = {i, j};
        count += std::size_t{met};
        if (count == pairs.size()) give();
        const std::uint32_t a_first = (a_row | a.x1) < (b_row | b.x1);
        i += a_first;
        j += 1 - a_first;
    }
    give();
}

}  // namespace

FramePieces pieces_of(std::span<const std::uint32_t> signal, std::size_t width, FramePieces used) {
    FramePieces pieces = std::move(used);
    find_runs(signal, width, pieces.runs);
    DisjointSets sets(static_cast<std::uint32_t>(pieces.runs.size()));
    each_pair(pieces.runs, pieces.runs, 1, [&](std::uint32_t a, std::uint32_t b) { sets.join(a, b); });
    // The root of a set is its first run, so it is numbered before the others refer to it.
    pieces.count = 0;
    for (std::uint32_t i = 0; i < pieces.runs.size(); ++i) {
        const std::uint32_t root = sets.root(i);
        const bool first = root == i;
        pieces.runs[i].piece = first ? pieces.count : pieces.runs[root].piece;
        pieces.count += first ? 1 : 0;
    }
    return pieces;
}

FramePieces pieces_of_groups(std::span<const std::uint32_t> signal, std::span<const std::uint32_t> groups,
                             std::uint32_t count, std::size_t width) {
    FramePieces pieces{{}, count};
    find_runs(signal, width, pieces.runs);
    std::size_t pixel = 0;
    for (SignalRun& run : pieces.runs) {
        run.piece = groups[pixel];
        pixel += run.x1 - run.x0;
    }
    return pieces;
}

void find_overlaps(const FramePieces& before, const FramePieces& now, std::vector<PieceOverlap>& found) {
    found.clear();
    // Most pairs of pieces meet in several rows.
    std::vector<std::uint32_t> met(now.count, before.count);
    each_pair(before.runs, now.runs, 0, [&](std::uint32_t a, std::uint32_t b) {
        const PieceOverlap overlap{before.runs[a].piece, now.runs[b].piece};
        if (met[overlap.now] != overlap.before) found.push_back(overlap);
        met[overlap.now] = overlap.before;
    });
}

}  // namespace ks::spots
