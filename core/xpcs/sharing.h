#pragma once

#include <cstddef>
#include <memory>
#include <vector>

#include "core/run/analysis.h"
#include "core/xpcs/correlation.h"
#include "core/xpcs/problem.h"

namespace ks::xpcs {

/// Bins that have pixels: empty ones go with the next that has some, the last ones with the last of those. A
/// bin that is much of the work is cut into ranges of its delays, as sums of a delay need nothing of the
/// others; one whose two-time map is wanted is not.
ShareUnits units_of(const CorrelationProblem& problem);
std::shared_ptr<const Problem> part_of(const std::shared_ptr<const CorrelationProblem>& whole,
                                       std::size_t first, std::size_t end);
/// What to_result() makes of a part: g2 and g2_err [bin][frame], of each bin with the delays that are wanted
/// and anything else where others are, and two_time where the part has that bin.
Result part_result(Correlation correlation);
/// to_result() of all bins.
Result joined_bins(const CorrelationProblem& whole, std::vector<PartResult> parts,
                   std::vector<Timing>& timings);

}  // namespace ks::xpcs
