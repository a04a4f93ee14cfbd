#pragma once

#include <cstddef>
#include <memory>
#include <vector>

#include "core/clusters/result.h"
#include "core/run/analysis.h"

namespace ks::clusters {

/// Splits by events or modules, the units of cuts().
ShareUnits units_of(const ClusterProblem& problem);
std::shared_ptr<const Problem> part_of(const std::shared_ptr<const ClusterProblem>& whole, std::size_t first,
                                       std::size_t end);
/// to_result() for a part: `label`, the columns of the table and `module_clusters`, with labels that count
/// from the part's first row, and the digis without a cluster as facts.
Result part_result(const ClusterProblem& part, Array labels, ClusterTable table);
/// to_result() for the results of all parts. The fact digis_per_second refers to the time during which any
/// device was busy.
Result joined_clusters(const ClusterProblem& whole, std::vector<PartResult> parts,
                       std::vector<Timing>& timings);

}  // namespace ks::clusters
