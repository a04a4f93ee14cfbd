#pragma once

#include "core/clusters/problem.h"
#include "core/run/run.h"

namespace ks::clusters {

/// Compares labels with a flood fill, module by module, and the table of clusters with sums over those
/// labels. A sample takes the fullest modules and others evenly spaced over the events. The verdict's place
/// has the event and module of the first that differs, and a digi (row of the input)
/// if one shows the difference.
Verdict check_clusters(const ClusterProblem& problem, const Run& run, CheckMode mode, Progress& progress);

}  // namespace ks::clusters
