#include "core/spots/spot_linker.h"

#include <limits>
#include <tuple>
#include <utility>

namespace ks::spots {
namespace {

constexpr std::uint32_t no_group = std::numeric_limits<std::uint32_t>::max();

/// Calls `meet` with every pair of runs that have a pixel in common.
template <class Meet>
void each_overlap(const std::vector<SignalRun>& before, const std::vector<SignalRun>& now, const Meet& meet) {
    for (auto a = before.begin(), b = now.begin(); a != before.end() && b != now.end();) {
        if (a->y == b->y && a->x0 < b->x1 && b->x0 < a->x1) meet(*a, *b);
        if (std::tie(a->y, a->x1) < std::tie(b->y, b->x1))
            ++a;
        else
            ++b;
    }
}

}  // namespace

void SpotLinker::link(FramePieces& pieces, std::vector<std::uint32_t>& group_of_piece) {
    each_overlap(runs_, pieces.runs, [&](const SignalRun& before, const SignalRun& now) {
        std::uint32_t& group = group_of_piece[now.piece];
        if (group == no_group) {
            group = before.piece;
            return;
        }
        const auto [stays, goes] = sets_.join(group, before.piece);
        if (stays != goes) groups_[stays].add(groups_[goes]);
    });
}

void SpotLinker::add(std::size_t frame, FramePieces pieces, std::span<const SpotSums> sums) {
    std::vector<std::uint32_t> group_of_piece(pieces.count, no_group);
    if (!stills_ && frame_ && *frame_ + 1 == frame) link(pieces, group_of_piece);
    for (std::uint32_t piece = 0; piece < pieces.count; ++piece) {
        std::uint32_t& group = group_of_piece[piece];
        if (group == no_group) {
            group = sets_.add();
            groups_.push_back(sums[piece]);
        } else {
            group = sets_.root(group);
            groups_[group].add(sums[piece]);
        }
    }
    for (SignalRun& run : pieces.runs) run.piece = group_of_piece[run.piece];
    runs_ = std::move(pieces.runs);
    frame_ = frame;
}

std::vector<Spot> SpotLinker::spots() const {
    std::vector<Spot> spots;
    for (std::uint32_t group = 0; group < groups_.size(); ++group)
        if (sets_.is_root(group)) spots.push_back(groups_[group].spot());
    return spots;
}

}  // namespace ks::spots
