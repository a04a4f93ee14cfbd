#pragma once

#include "core/run/analysis.h"
#include "gpu/runtime/launch_context.h"

namespace ks::gpu::xpcs {

Result launch_seed_naive(const Problem& problem, LaunchContext& context);
Result launch_seed_ordered(const Problem& problem, LaunchContext& context);

}  // namespace ks::gpu::xpcs
