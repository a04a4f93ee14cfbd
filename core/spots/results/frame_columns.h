#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/run/result.h"
#include "core/spots/problem.h"

namespace ks::spots {

/// What became of a frame, in the column frame_missing: 0 where it was looked at.
enum class FrameState : std::uint8_t {
    read = 0,
    not_written = 1,
    damaged = 2,
    left_out = 3,
    without_valid = 4,  ///< no pixel is valid
};

/// "missing", "no valid pixel"; of a frame that was read nothing is said: "".
const char* name_of(FrameState state);

/// What a result tells of each frame, named as in SpotCollector.
/// @param result  with the table of the spots
/// @param signal  pixels of each frame
/// @param without_valid frames without a valid pixel, as the problem counts them, ascending
std::vector<Dataset> frame_datasets(const SpotProblem& problem, const Result& result,
                                    std::span<const std::uint64_t> signal,
                                    std::span<const std::size_t> without_valid, unsigned threads);

}  // namespace ks::spots
