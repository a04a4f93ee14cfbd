#pragma once

#include <cstdint>
#include <vector>

#include "core/run/result.h"
#include "core/spots/problem.h"

namespace ks::spots {

/// What a result tells of each frame, named as in SpotCollector.
/// @param result  with the table of the spots
/// @param signals pixels by frame
std::vector<Dataset> frame_datasets(const SpotProblem& problem, const Result& result,
                                    const std::vector<std::vector<std::uint32_t>>& signals, unsigned threads);

}  // namespace ks::spots
