#pragma once

#include <cstddef>
#include <memory>
#include <vector>

#include "core/run/analysis.h"
#include "core/xpcs/correlation.h"
#include "core/xpcs/problem.h"

namespace ks::xpcs {

/// Bins that have pixels: empty ones go with the next that has some, the last ones with the last of those.
ShareUnits units_of(const CorrelationProblem& problem);
std::shared_ptr<const Problem> part_of(const std::shared_ptr<const CorrelationProblem>& whole,
                                       std::size_t first, std::size_t end);
/// What to_result() makes of a part: g2 and g2_err [bin][frame], and two_time where the part has that bin.
Result part_result(const Correlation& correlation);
/// to_result() of all bins.
Result joined_bins(const CorrelationProblem& whole, std::vector<PartResult> parts,
                   std::vector<Timing>& timings);

}  // namespace ks::xpcs
