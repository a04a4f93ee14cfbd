#pragma once

#include <memory>

#include "gpu/spots/frames/frame_pipeline.h"

namespace ks::gpu::spots {

/// A variant's kernels, and where the problem may have counts that their sums do not take (sums_limit), a
/// last one that tests these pixels themselves.
std::unique_ptr<SignalKernels> with_large_counts(std::unique_ptr<SignalKernels> kernels,
                                                 const SpotProblem& problem, LaunchContext& context);

}  // namespace ks::gpu::spots
