#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace ks::spots {

/// Adjacent signal pixels: [x0, x1) of row y.
struct SignalRun {
    std::uint32_t y, x0, x1;
    std::uint32_t piece;  ///< index in its frame
};

/// The signal of one frame in 4-connected pieces. It takes memory in proportion to the number of signal
/// pixels, not to the size of the frame.
struct FramePieces {
    std::vector<SignalRun> runs;  ///< ascending in y, then x
    std::uint32_t count = 0;      ///< pieces 0 .. count - 1, in the order of their first pixels
};

/// @param signal ascending indices [y][x] into a frame of `width` columns
/// @param used pieces no longer needed, whose memory is reused
FramePieces pieces_of(std::span<const std::uint32_t> signal, std::size_t width, FramePieces used = {});

/// The same if the group of every pixel, 0 .. count - 1, is already known: the groups become the pieces.
/// @param groups per signal pixel
FramePieces pieces_of_groups(std::span<const std::uint32_t> signal, std::span<const std::uint32_t> groups,
                             std::uint32_t count, std::size_t width);

/// Two pieces, in consecutive frames, that share a pixel position.
struct PieceOverlap {
    std::uint32_t before, now;
    bool operator==(const PieceOverlap&) const = default;
};

/// Finds every such pair at least once, in the order of the first shared position.
void find_overlaps(const FramePieces& before, const FramePieces& now, std::vector<PieceOverlap>& found);

}  // namespace ks::spots
