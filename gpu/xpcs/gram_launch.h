#pragma once

#include "core/run/analysis.h"
#include "gpu/runtime/launch_context.h"

namespace ks::gpu::xpcs {

Result launch_gram_tiled(const Problem& problem, LaunchContext& context);

}  // namespace ks::gpu::xpcs
