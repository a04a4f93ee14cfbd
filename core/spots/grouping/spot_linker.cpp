#include "core/spots/grouping/spot_linker.h"

#include <limits>
#include <utility>

namespace ks::spots {
namespace {

constexpr std::uint32_t no_group = std::numeric_limits<std::uint32_t>::max();

}  // namespace

std::uint32_t SpotLinker::add_group(const SpotSums& sums) {
    const std::uint32_t group = sets_.add();
    if (group % part == 0) groups_.emplace_back().reserve(part);
    groups_.back().push_back(sums);
    return group;
}

void SpotLinker::link(std::span<const PieceOverlap> overlaps) {
    for (const PieceOverlap& overlap : overlaps) {
        std::uint32_t& group = group_of_piece_[overlap.now];
        const std::uint32_t other = group_before_[overlap.before];
        if (group == no_group) {
            group = other;
            continue;
        }
        const auto [stays, goes] = sets_.join(group, other);
        if (stays != goes) sums_of(stays).add(sums_of(goes));
    }
}

void SpotLinker::add(std::size_t frame, std::span<const PieceOverlap> overlaps,
                     std::span<const SpotSums> sums) {
    std::swap(group_of_piece_, group_before_);
    group_of_piece_.assign(sums.size(), no_group);
    link(overlaps);
    for (std::size_t piece = 0; piece < sums.size(); ++piece) {
        std::uint32_t& group = group_of_piece_[piece];
        if (group == no_group) {
            group = add_group(sums[piece]);
        } else {
            group = sets_.root(group);
            sums_of(group).add(sums[piece]);
        }
    }
    frame_ = frame;
}

std::vector<std::uint32_t> SpotLinker::roots() const {
    std::vector<std::uint32_t> roots;
    for (std::uint32_t group = 0; group < sets_.size(); ++group)
        if (sets_.is_root(group)) roots.push_back(group);
    return roots;
}

}  // namespace ks::spots
