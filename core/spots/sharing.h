#pragma once

#include <cstddef>
#include <memory>
#include <vector>

#include "core/run/analysis.h"
#include "core/spots/problem.h"

namespace ks::spots {

/// The units are frames. A SpotCollector creates a SpotPart from the results of some of them.
ShareUnits units_of(const SpotProblem& problem);
std::shared_ptr<const Problem> part_of(const std::shared_ptr<const SpotProblem>& whole, std::size_t first,
                                       std::size_t end);
/// The result of a SpotCollector to which the parts are added. The fact frames_per_second refers to the time
/// in which any device was active. Throws ks::Error(input) if no frame could be read.
Result joined_spots(const SpotProblem& whole, std::vector<PartResult> parts, std::vector<Timing>& timings);

}  // namespace ks::spots
