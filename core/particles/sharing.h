#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "core/particles/problem.h"
#include "core/run/analysis.h"

namespace ks::particles {

/// Targets. Parts begin at multiples of what the groups of all kernels are made of: which targets are summed
/// beside each other may decide how, where a source lies on one of them.
ShareUnits units_of(const SumProblem& problem);
std::shared_ptr<const Problem> part_of(const std::shared_ptr<const SumProblem>& whole, std::size_t first,
                                       std::size_t end);
/// What to_result() makes of a part: the dataset "sums" [row][target] and the fact skipped_pairs.
Result part_result(const Array& values, std::uint64_t skipped);
/// to_result() of the sums of all parts.
Result joined_sums(const SumProblem& whole, std::vector<PartResult> parts, std::vector<Timing>& timings);

}  // namespace ks::particles
