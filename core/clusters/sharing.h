#pragma once

#include <cstddef>
#include <memory>
#include <vector>

#include "core/clusters/result.h"
#include "core/run/analysis.h"

namespace ks::clusters {

/// Events, or modules: what cuts() is.
ShareUnits units_of(const ClusterProblem& problem);
std::shared_ptr<const Problem> part_of(const std::shared_ptr<const ClusterProblem>& whole, std::size_t first,
                                       std::size_t end);
/// What to_result() makes of a part: `label`, the columns of the table and `module_clusters`, with labels
/// that count from the part's first row, and the digis without a cluster as facts.
Result part_result(const ClusterProblem& part, Array labels, ClusterTable table);
/// to_result() of what all parts found. The fact digis_per_second is that of the time in which any device was
/// at work.
Result joined_clusters(const ClusterProblem& whole, std::vector<PartResult> parts,
                       std::vector<Timing>& timings);

}  // namespace ks::clusters
