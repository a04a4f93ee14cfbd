#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/run/result.h"
#include "core/spots/problem.h"

namespace ks::spots {

/// The state of a frame in the column frame_missing: 0 if it was searched.
enum class FrameState : std::uint8_t {
    read = 0,
    not_written = 1,
    damaged = 2,
    left_out = 3,
    without_valid = 4,  ///< no pixel is valid
};

/// "missing", "no valid pixel"; "" for a frame that was searched.
const char* name_of(FrameState state);

/// The datasets of a result with one value per frame, named as in SpotCollector.
/// @param result with the table of spots
/// @param signal number of pixels per frame
/// @param without_valid frames without a valid pixel, numbered as in the problem, ascending
std::vector<Dataset> frame_datasets(const SpotProblem& problem, const Result& result,
                                    std::span<const std::uint64_t> signal,
                                    std::span<const std::size_t> without_valid, unsigned threads);

}  // namespace ks::spots
