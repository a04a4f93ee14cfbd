#pragma once

#include <memory>
#include <string>
#include <vector>

#include "gpu/runtime/launch_context.h"

namespace ks::gpu::basics {

/// An input of an exercise on the device, kept between runs.
/// @param key changes with the content; @param others bytes that the run needs beside it
std::shared_ptr<const Buffer> input_on_device(LaunchContext& context, const std::string& key,
                                              const std::vector<float>& values, std::uint64_t others);

}  // namespace ks::gpu::basics
