#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/base/array.h"
#include "core/run/result.h"
#include "core/spots/grouping/frame_pieces.h"
#include "core/spots/grouping/spot_sums.h"

namespace ks::spots {

/// The result for consecutive frames of a run, if the other frames are searched elsewhere. It contains the
/// spots with their running sums. For the first and the last of these frames, it also says to which spot each
/// signal pixel belongs, so that spots that continue in other frames can be joined.
struct SpotPart {
    std::vector<SpotSums> sums;  ///< of spots, by first pixel; frames relative to the first of the part
    bool any = false;            ///< whether a frame was searched; else everything below is empty
    std::size_t first_frame = 0, last_frame = 0;   ///< the first and the last searched frame
    std::vector<SignalRun> first_runs, last_runs;  ///< of these frames: `piece` is the index of the spot
    std::vector<std::uint64_t> signal_sizes;       ///< per frame
    Array signal;                                  ///< u32: indices [y][x] of the signal, frame by frame
    std::size_t marked_signal = 0;                 ///< signal pixels with the value counted_mark()
};

/// Conversion to a result that can be sent, and back. Throws ks::Error(run) for other results.
Result result_of(SpotPart part);
SpotPart spot_part_of(Result result);

}  // namespace ks::spots
