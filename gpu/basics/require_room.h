#pragma once

#include <cstdint>
#include <string>

#include "gpu/runtime/launch_context.h"

namespace ks::gpu::basics {

/// Throws ks::Error(input) where the buffers of an exercise are over what its run may hold on the device, or
/// the largest of them over one allocation.
/// @param what they are: "ids of 512 work-items"; @param hint what to do
void require_room(const LaunchContext& context, std::uint64_t bytes, std::uint64_t largest,
                  const std::string& what, const std::string& hint);

}  // namespace ks::gpu::basics
