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

/// Groups the pieces of frames into spots as the frames arrive. A piece belongs to each group that has one of
/// its pixels in the previous frame, and groups that share a piece are joined. The linker stores a few sums
/// per group, and the groups of the pieces of one frame. Everything is added in the order of frames and first
/// pixels, so the same signal gives the same bytes.
class SpotLinker {
  public:
    /// @param stills no linking: every piece is a spot
    explicit SpotLinker(bool stills) : stills_(stills) {}

    /// Whether pieces of `frame` may continue groups, i.e. the previous frame was added last.
    bool links_to(std::size_t frame) const { return !stills_ && frame_ && *frame_ + 1 == frame; }

    /// @param frame ascending
    /// @param overlaps of its pieces with those of the previous frame; none if links_to() is false
    /// @param sums of each of its pieces
    void add(std::size_t frame, std::span<const PieceOverlap> overlaps, std::span<const SpotSums> sums);

    /// Adds frames that were grouped together like one frame: their spots take the role of its pieces.
    /// @param overlaps of spots in the first of these frames with pieces of the previous frame
    void add(std::span<const PieceOverlap> overlaps, GroupedSpots spots);

    /// These two functions return the groups that are spots so far, ordered by first pixel (z, y, x), and the
    /// spot of such a group.
    std::vector<std::uint32_t> roots() const;
    Spot spot(std::uint32_t root) const { return sums_of(root).spot(); }
    SpotSums sums(std::uint32_t root) const { return sums_of(root); }
    /// The group of each piece of the last frame. These groups may have been joined to others since;
    /// root_of() gives the present one.
    std::span<const std::uint32_t> last_groups() const { return group_of_piece_; }
    std::uint32_t root_of(std::uint32_t group) { return sets_.root(group); }

    /// Whether frames grouped elsewhere were added.
    bool has_grouped() const { return has_grouped_; }
    /// For integer counts: whether the sums of a spot are exact, whether grouped here or elsewhere.
    bool exact(std::uint32_t root) const;

  private:
    static constexpr std::size_t part = 4096;
    /// Consecutive groups, added as pieces or as spots of frames grouped together.
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
    std::optional<std::size_t> frame_;  ///< the last frame added
    std::vector<std::uint32_t> group_of_piece_,
        group_before_;  ///< of the last frame, and of the previous one
    /// Groups are in the order of their first pixels. The root of joined groups is the first of them.
    std::vector<Block> groups_;
    std::unordered_map<std::uint32_t, SpotSums> changed_;  ///< of spots to which others were added
    bool has_grouped_ = false, changed_exactly_ = true;
    DisjointSets sets_;
};

}  // namespace ks::spots
