#pragma once

#include <cstdint>
#include <string>

#include "gpu/runtime/launch_context.h"

namespace ks::gpu::basics {

/// Throws ks::Error(input) if the buffers of an exercise exceed the memory its run may hold on the device, or
/// if the largest of them exceeds the device's maximum allocation.
/// @param what the buffers: "ids of 512 work-items"; @param hint what to do
void require_room(const LaunchContext& context, std::uint64_t bytes, std::uint64_t largest,
                  const std::string& what, const std::string& hint);

}  // namespace ks::gpu::basics
