#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "core/spots/disjoint_sets.h"
#include "core/spots/frame_pieces.h"
#include "core/spots/spot_sums.h"

namespace ks::spots {

/// Groups the pieces of frames to spots as the frames come: a piece belongs to each group that has a pixel at
/// the same place in the frame before, and groups that share a piece become one. It keeps the runs of one
/// frame and a few sums a group. Everything is added in the order of frames and first pixels, so the same
/// signal gives the same bytes.
class SpotLinker {
  public:
    /// @param stills nothing is linked: every piece is a spot
    explicit SpotLinker(bool stills) : stills_(stills) {}

    /// @param frame  ascending; where the one before was not added, nothing links to it
    /// @param pieces of the frame's signal
    /// @param sums   of each piece
    void add(std::size_t frame, FramePieces pieces, std::span<const SpotSums> sums);

    /// All groups so far, ordered by their first pixel (z, y, x).
    std::vector<Spot> spots() const;

  private:
    void link(FramePieces& pieces, std::vector<std::uint32_t>& group_of_piece);

    bool stills_;
    std::optional<std::size_t> frame_;  ///< the last one
    std::vector<SignalRun> runs_;       ///< its runs; their pieces are groups
    /// Groups come in the order of their first pixels; the root of those that became one is the first.
    std::vector<SpotSums> groups_;
    DisjointSets sets_;
};

}  // namespace ks::spots
