#pragma once

#include <optional>

#include "gpu/runtime/launch_context.h"

namespace ks::gpu::basics {

/// An out-of-order queue with profiling; empty if the device does not support one.
std::optional<cl::CommandQueue> any_order_queue(LaunchContext& context);

}  // namespace ks::gpu::basics
