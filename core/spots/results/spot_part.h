#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/base/array.h"
#include "core/run/result.h"
#include "core/spots/grouping/frame_pieces.h"
#include "core/spots/grouping/spot_sums.h"

namespace ks::spots {

/// What was found in some consecutive frames of a run whose others were searched elsewhere: spots with the
/// sums that they grow by, and how the signal of the first and the last of these frames belongs to them, so
/// that what goes on beyond can be joined.
struct SpotPart {
    std::vector<SpotSums> sums;  ///< of spots, by first pixel; frames count from the first of the part
    bool any = false;            ///< whether a frame was looked at: else all that follows is empty
    std::size_t first_frame = 0, last_frame = 0;   ///< the first and the last that was
    std::vector<SignalRun> first_runs, last_runs;  ///< of these frames: `piece` is the spot, by its place
    std::vector<std::uint64_t> signal_sizes;       ///< by frame
    Array signal;                                  ///< u32: indices [y][x] of the signal, frame by frame
    std::size_t marked_signal = 0;                 ///< signal pixels that hold counted_mark()
};

/// As a result that can be sent, and back. Throws ks::Error(run) where it is none.
Result result_of(SpotPart part);
SpotPart spot_part_of(Result result);

}  // namespace ks::spots
