#pragma once

#include <memory>

#include "gpu/spots/signal_kernels.h"

namespace ks::gpu::spots {

/// A variant's kernels; if the problem may have counts that are too large for their sums (sums_limit), with a
/// last kernel that tests these pixels themselves.
std::unique_ptr<SignalKernels> with_large_counts(std::unique_ptr<SignalKernels> kernels,
                                                 const SpotProblem& problem, LaunchContext& context);

}  // namespace ks::gpu::spots
