#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace ks::spots {

/// Signal pixels side by side: [x0, x1) of row y.
struct SignalRun {
    std::uint32_t y, x0, x1;
    std::uint32_t piece;  ///< what it belongs to: a piece of its frame, or a group
};

/// The signal of one frame in 4-connected pieces. As large as the signal, not as the frame.
struct FramePieces {
    std::vector<SignalRun> runs;  ///< ascending in y, then x
    std::uint32_t count = 0;      ///< pieces 0 .. count - 1, in the order of their first pixels
};

/// @param signal ascending indices [y][x] into a frame of `width` columns
FramePieces pieces_of(std::span<const std::uint32_t> signal, std::size_t width);

}  // namespace ks::spots
