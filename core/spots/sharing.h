#pragma once

#include <cstddef>
#include <memory>
#include <vector>

#include "core/run/analysis.h"
#include "core/spots/problem.h"

namespace ks::spots {

/// Frames. A SpotCollector makes a SpotPart of what is found in some of them.
ShareUnits units_of(const SpotProblem& problem);
std::shared_ptr<const Problem> part_of(const std::shared_ptr<const SpotProblem>& whole, std::size_t first,
                                       std::size_t end);
/// The result of a SpotCollector that gets the parts. The fact frames_per_second is that of the time in which
/// any device was at work. Throws ks::Error(input) where no frame could be read.
Result joined_spots(const SpotProblem& whole, std::vector<PartResult> parts, std::vector<Timing>& timings);

}  // namespace ks::spots
