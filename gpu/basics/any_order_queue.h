#pragma once

#include <optional>

#include "gpu/runtime/launch_context.h"

namespace ks::gpu::basics {

/// A queue whose commands may run in any order, with their times; nothing where the device has none.
std::optional<cl::CommandQueue> any_order_queue(LaunchContext& context);

}  // namespace ks::gpu::basics
