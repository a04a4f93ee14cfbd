#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <unordered_map>
#include <vector>

#include "core/spots/grouping/disjoint_sets.h"
#include "core/spots/grouping/frame_pieces.h"
#include "core/spots/grouping/spot_record.h"
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

    /// Frames that were grouped together, as one: a spot of them is what a piece of a frame is.
    /// @param overlaps of spots in the first of these frames with pieces of the frame before
    void add(std::span<const PieceOverlap> overlaps, GroupedSpots spots);

    /// The groups that are spots so far, ordered by their first pixel (z, y, x), and the spot that such a one
    /// is.
    std::vector<std::uint32_t> roots() const;
    Spot spot(std::uint32_t root) const { return sums_of(root).spot(); }
    SpotSums sums(std::uint32_t root) const { return sums_of(root); }
    /// Of each piece of the last frame the group that it came into, which root_of() may have joined to others
    /// since.
    std::span<const std::uint32_t> last_groups() const { return group_of_piece_; }
    std::uint32_t root_of(std::uint32_t group) { return sets_.root(group); }

    /// Whether any were grouped before they came.
    bool has_grouped() const { return has_grouped_; }
    /// Of whole counts: whether the sums of a spot, grouped before it came or not, are exact.
    bool exact(std::uint32_t root) const;

  private:
    static constexpr std::size_t part = 4096;
    /// Groups side by side: those that came as pieces, or as spots of frames that were grouped together.
    struct Block {
        std::uint32_t first;
        std::vector<SpotSums> sums;
        GroupedSpots spots;
    };
    std::size_t block_of(std::uint32_t group) const;
    SpotSums sums_of(std::uint32_t group) const;
    SpotSums& own_sums_of(std::uint32_t group);
    void see_whether_exact(std::uint32_t group);
    std::uint32_t add_group(const SpotSums& sums);
    void link(std::span<const PieceOverlap> overlaps);

    bool stills_;
    std::optional<std::size_t> frame_;                          ///< the last one
    std::vector<std::uint32_t> group_of_piece_, group_before_;  ///< of the last frame, of the one before
    /// Groups come in the order of their first pixels; the root of those that became one is the first.
    std::vector<Block> groups_;
    std::unordered_map<std::uint32_t, SpotSums> changed_;  ///< of spots that others were added to
    bool has_grouped_ = false, changed_exactly_ = true;
    DisjointSets sets_;
};

}  // namespace ks::spots
