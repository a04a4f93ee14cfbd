#include "core/spots/grouping/spot_linker.h"

#include <algorithm>
#include <limits>
#include <numeric>
#include <utility>

namespace ks::spots {
namespace {

constexpr std::uint32_t no_group = std::numeric_limits<std::uint32_t>::max();

}  // namespace

std::size_t SpotLinker::block_of(std::uint32_t group) const {
    const auto after = std::ranges::upper_bound(groups_, group, {}, &Block::first);
    return static_cast<std::size_t>(after - groups_.begin()) - 1;
}

SpotSums SpotLinker::sums_of(std::uint32_t group) const {
    const Block& block = groups_[block_of(group)];
    if (!block.sums.empty()) return block.sums[group - block.first];
    const auto changed = changed_.find(group);
    return changed != changed_.end() ? changed->second : SpotSums(block.spots, group - block.first);
}

SpotSums& SpotLinker::own_sums_of(std::uint32_t group) {
    Block& block = groups_[block_of(group)];
    if (!block.sums.empty()) return block.sums[group - block.first];
    const auto changed = changed_.find(group);
    if (changed != changed_.end()) return changed->second;
    see_whether_exact(group);
    return changed_.emplace(group, SpotSums(block.spots, group - block.first)).first->second;
}

/// For a group whose sums are added to another one, where an overflow would no longer be noticed.
void SpotLinker::see_whether_exact(std::uint32_t group) {
    const Block& block = groups_[block_of(group)];
    if (block.sums.empty() && !changed_.contains(group))
        changed_exactly_ =
            changed_exactly_ && sums_exactly(block.spots[group - block.first], block.spots.frame_pixels());
}

bool SpotLinker::exact(std::uint32_t root) const {
    const Block& block = groups_[block_of(root)];
    if (block.sums.empty() && !changed_.contains(root))
        return sums_exactly(block.spots[root - block.first], block.spots.frame_pixels());
    return changed_exactly_ && sums_of(root).exact();
}

std::uint32_t SpotLinker::add_group(const SpotSums& sums) {
    const std::uint32_t group = sets_.add();
    if (groups_.empty() || groups_.back().sums.empty() || groups_.back().sums.size() == part)
        groups_.push_back({group, {}, {}}), groups_.back().sums.reserve(part);
    groups_.back().sums.push_back(sums);
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
        if (stays == goes) continue;
        see_whether_exact(goes);
        own_sums_of(stays).add(sums_of(goes));
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
            own_sums_of(group).add(sums[piece]);
        }
    }
    frame_ = frame;
}

void SpotLinker::add(std::span<const PieceOverlap> overlaps, GroupedSpots spots) {
    frame_ = spots.frames.back();
    has_grouped_ = true;
    std::swap(group_of_piece_, group_before_);
    const std::uint32_t first = sets_.add(spots.size());
    group_of_piece_.resize(stills_ ? 0 : spots.size());
    std::iota(group_of_piece_.begin(), group_of_piece_.end(), first);
    if (spots.size() > 0) groups_.push_back({first, {}, std::move(spots)});
    link(overlaps);
}

std::vector<std::uint32_t> SpotLinker::roots() const {
    std::vector<std::uint32_t> roots;
    roots.reserve(sets_.size());
    for (std::uint32_t group = 0; group < sets_.size(); ++group)
        if (sets_.is_root(group)) roots.push_back(group);
    return roots;
}

}  // namespace ks::spots
