#pragma once

#include "gpu/clusters/chunk.h"

namespace ks::gpu::clusters {

/// Labels of all digis, chunk by chunk: upload, kernels, download. How many modules took the general path is
/// written to `general_modules`.
Array label_on_device(const ClusterProblem& problem, LaunchContext& context, std::size_t& general_modules);

/// All of a run.
Result launch_clusters(const Problem& problem, LaunchContext& context);

}  // namespace ks::gpu::clusters
