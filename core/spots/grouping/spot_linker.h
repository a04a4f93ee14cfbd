#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "core/spots/grouping/disjoint_sets.h"
#include "core/spots/grouping/frame_pieces.h"
#include "core/spots/grouping/spot_sums.h"

namespace ks::spots {

/// Groups the pieces of frames to spots as the frames come: a piece belongs to each group that has a pixel at
/// the same place in the frame before, and groups that share a piece become one. It keeps a few sums a group,
/// and of which groups the pieces of one frame are. Everything is added in the order of frames and first
/// pixels, so the same signal gives the same bytes.
class SpotLinker {
  public:
    /// @param stills nothing is linked: every piece is a spot
    explicit SpotLinker(bool stills) : stills_(stills) {}

    /// Whether pieces of `frame` may belong to groups: the frame before it was the last one.
    bool links_to(std::size_t frame) const { return !stills_ && frame_ && *frame_ + 1 == frame; }

    /// @param frame    ascending
    /// @param overlaps of its pieces with those of the frame before; none where links_to() it is false
    /// @param sums     of each of its pieces
    void add(std::size_t frame, std::span<const PieceOverlap> overlaps, std::span<const SpotSums> sums);

    /// The groups that are spots so far, ordered by their first pixel (z, y, x), and the spot that such a one
    /// is.
    std::vector<std::uint32_t> roots() const;
    Spot spot(std::uint32_t root) const { return groups_[root / part][root % part].spot(); }

  private:
    static constexpr std::size_t part = 4096;
    SpotSums& sums_of(std::uint32_t group) { return groups_[group / part][group % part]; }
    std::uint32_t add_group(const SpotSums& sums);
    void link(std::span<const PieceOverlap> overlaps);

    bool stills_;
    std::optional<std::size_t> frame_;                          ///< the last one
    std::vector<std::uint32_t> group_of_piece_, group_before_;  ///< of the last frame, of the one before
    /// Groups come in the order of their first pixels; the root of those that became one is the first.
    std::vector<std::vector<SpotSums>> groups_;  ///< in parts, that stay where they are when others come
    DisjointSets sets_;
};

}  // namespace ks::spots
