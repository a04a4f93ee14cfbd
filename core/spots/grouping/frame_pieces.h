#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace ks::spots {

/// Signal pixels side by side: [x0, x1) of row y.
struct SignalRun {
    std::uint32_t y, x0, x1;
    std::uint32_t piece;  ///< of its frame
};

/// The signal of one frame in 4-connected pieces. As large as the signal, not as the frame.
struct FramePieces {
    std::vector<SignalRun> runs;  ///< ascending in y, then x
    std::uint32_t count = 0;      ///< pieces 0 .. count - 1, in the order of their first pixels
};

/// @param signal ascending indices [y][x] into a frame of `width` columns
/// @param used   pieces that nobody wants any more, whose memory the new ones take
FramePieces pieces_of(std::span<const std::uint32_t> signal, std::size_t width, FramePieces used = {});

/// The same where it is known already which group a pixel is of, 0 .. count - 1: the pieces are these groups.
/// @param groups by pixel of the signal
FramePieces pieces_of_groups(std::span<const std::uint32_t> signal, std::span<const std::uint32_t> groups,
                             std::uint32_t count, std::size_t width);

/// Two pieces, of a frame and of the next one, that have a pixel at the same place.
struct PieceOverlap {
    std::uint32_t before, now;
    bool operator==(const PieceOverlap&) const = default;
};

/// Every such pair at least once, in the order of the first place that they share.
void find_overlaps(const FramePieces& before, const FramePieces& now, std::vector<PieceOverlap>& found);

}  // namespace ks::spots
