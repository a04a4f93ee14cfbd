#pragma once

#include "core/run/analysis.h"
#include "gpu/runtime/launch_context.h"
#include "gpu/xpcs/frames_on_device.h"

namespace ks::gpu::xpcs {

Result launch_gram_tiled(const Problem& problem, LaunchContext& context);
/// The same with frames uploaded as in `frames`, instead of the way that suits the device.
Result launch_gram_by_plan(const Problem& problem, LaunchContext& context, const FramesPlan& frames);

}  // namespace ks::gpu::xpcs
