#pragma once

#include <memory>

#include "core/clusters/problem.h"
#include "core/run/analysis.h"

namespace ks::clusters {

/// Reads the digis of a request with complete parameters; data that `previous` read from the same file and
/// layout is reused. Throws ks::Error(input).
std::shared_ptr<const ClusterProblem> load_problem(const Request& request, Progress& progress,
                                                   std::shared_ptr<const Problem> previous);

}  // namespace ks::clusters
