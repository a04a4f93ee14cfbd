#pragma once

#include <vector>

#include "core/xpcs/problem.h"
#include "gpu/runtime/launch_context.h"
#include "gpu/runtime/opencl_backend.h"
#include "gpu/xpcs/frames_on_device.h"

namespace ks::gpu::xpcs {

/// The rows of the table of variants.
std::vector<ClVariant> cl_variants();

/// The published correlators.
Result launch_seed_naive(const ks::xpcs::CorrelationProblem& problem, LaunchContext& context);
Result launch_seed_ordered(const ks::xpcs::CorrelationProblem& problem, LaunchContext& context);
Result launch_gram_tiled(const ks::xpcs::CorrelationProblem& problem, LaunchContext& context);
/// The same, but frames are uploaded in the way that `frames` says, not in the way that suits the device.
Result launch_gram_by_plan(const ks::xpcs::CorrelationProblem& problem, LaunchContext& context,
                           const FramesPlan& frames);

}  // namespace ks::gpu::xpcs
