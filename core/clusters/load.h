#pragma once

#include <memory>

#include "core/clusters/problem.h"
#include "core/run/analysis.h"

namespace ks::clusters {

/// Reads the digis of a request whose parameters are complete; what `previous` read of the same file and
/// layout is not read again. Throws ks::Error(input).
std::shared_ptr<const ClusterProblem> load_problem(const Request& request, Progress& progress,
                                                   std::shared_ptr<const Problem> previous);

}  // namespace ks::clusters
