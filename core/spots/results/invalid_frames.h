#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "core/spots/problem.h"

namespace ks::spots {

/// Frames that were searched and hold few valid pixels, as the problem counts them, ascending.
struct InvalidFrames {
    std::vector<std::size_t> without_valid;  ///< no pixel is valid
    std::vector<std::size_t> mostly;         ///< half of the pixels or more are invalid, not all
};

/// Looks at frames with less signal than others: those without any, and those with less than half the median.
/// They are read again where they are not in memory. Pixels that the mask ignores and those between modules
/// do not count.
/// @param signal pixels of each frame
InvalidFrames find_invalid_frames(const SpotProblem& problem, std::span<const std::uint64_t> signal,
                                  unsigned threads);

/// "frame 3 has no valid pixel: all are NaN, infinite or saturated, and no spot continues across it;
/// --leave-out 3 leaves it out": a sentence for all of these frames; empty where there are none.
std::string invalid_frames_warning(const SpotProblem& problem, const InvalidFrames& frames);

}  // namespace ks::spots
