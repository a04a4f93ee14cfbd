#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "core/spots/problem.h"

namespace ks::spots {

/// Searched frames with few valid pixels, numbered as in the problem, ascending.
struct InvalidFrames {
    std::vector<std::size_t> without_valid;  ///< no pixel is valid
    std::vector<std::size_t> mostly;         ///< at least half of the pixels are invalid, but not all
};

/// Examines frames with little signal: those without any, and those with less than half of the median. They
/// are read again unless they are in memory. Masked pixels and pixels between modules do not count.
/// @param signal number of pixels per frame
InvalidFrames find_invalid_frames(const SpotProblem& problem, std::span<const std::uint64_t> signal,
                                  unsigned threads);

/// "frame 3 has no valid pixel: all are NaN, infinite or saturated, and no spot continues across it;
/// --leave-out 3 leaves it out": one sentence for all of these frames; empty if there are none.
std::string invalid_frames_warning(const SpotProblem& problem, const InvalidFrames& frames);

}  // namespace ks::spots
