#pragma once

#include "core/run/analysis.h"
#include "core/xpcs/problem.h"
#include "gpu/runtime/launch_context.h"

namespace ks::gpu::xpcs {

Result launch_seed_naive(const ks::xpcs::CorrelationProblem& problem, LaunchContext& context);
Result launch_seed_ordered(const ks::xpcs::CorrelationProblem& problem, LaunchContext& context);

}  // namespace ks::gpu::xpcs
