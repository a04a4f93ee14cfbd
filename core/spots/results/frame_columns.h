#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/run/result.h"
#include "core/spots/problem.h"

namespace ks::spots {

/// What a result tells of each frame, named as in SpotCollector.
/// @param result  with the table of the spots
/// @param signal  pixels of each frame
std::vector<Dataset> frame_datasets(const SpotProblem& problem, const Result& result,
                                    std::span<const std::uint64_t> signal, unsigned threads);

}  // namespace ks::spots
