#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "core/particles/problem.h"
#include "core/run/analysis.h"

namespace ks::particles {

/// Splits by targets. Parts begin at multiples of the group sizes of all kernels: how targets are summed may
/// depend on which ones are summed together, if a source lies on one of them.
ShareUnits units_of(const SumProblem& problem);
std::shared_ptr<const Problem> part_of(const std::shared_ptr<const SumProblem>& whole, std::size_t first,
                                       std::size_t end);
/// to_result() for a part: the dataset "sums" [row][target] and the fact skipped_pairs.
Result part_result(const Array& values, std::uint64_t skipped);
/// to_result() for the sums of all parts.
Result joined_sums(const SumProblem& whole, std::vector<PartResult> parts, std::vector<Timing>& timings);

}  // namespace ks::particles
