#pragma once

#include <cstddef>
#include <memory>
#include <vector>

#include "core/run/analysis.h"
#include "core/xpcs/correlation.h"
#include "core/xpcs/problem.h"

namespace ks::xpcs {

/// Bins with pixels: empty bins are combined with the next non-empty one, and the last ones with the last
/// non-empty one. A bin with a large share of the work is divided into ranges of delays, since the sums of a
/// delay are independent of the others; a bin with a two-time map is not divided.
ShareUnits units_of(const CorrelationProblem& problem);
std::shared_ptr<const Problem> part_of(const std::shared_ptr<const CorrelationProblem>& whole,
                                       std::size_t first, std::size_t end);
/// The result of a part: g2 and g2_err [bin][frame], with the requested delays of each bin and arbitrary
/// values elsewhere, and two_time if the part has that bin.
Result part_result(Correlation correlation);
/// to_result() for all bins.
Result joined_bins(const CorrelationProblem& whole, std::vector<PartResult> parts,
                   std::vector<Timing>& timings);

}  // namespace ks::xpcs
