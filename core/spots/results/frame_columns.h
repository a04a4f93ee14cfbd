#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/run/result.h"
#include "core/spots/problem.h"

namespace ks::spots {

/// What became of a frame, in the column frame_missing: 0 where it was looked at.
enum class FrameState : std::uint8_t { read = 0, not_written = 1, damaged = 2, left_out = 3 };

/// What a result tells of each frame, named as in SpotCollector.
/// @param result  with the table of the spots
/// @param signal  pixels of each frame
std::vector<Dataset> frame_datasets(const SpotProblem& problem, const Result& result,
                                    std::span<const std::uint64_t> signal, unsigned threads);

}  // namespace ks::spots
