#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "gpu/runtime/launch_context.h"

namespace ks::gpu::basics {

/// Throws ks::Error(input) with the size that would fit where `vectors` (one to three) of `size` elements of
/// 4 bytes, and `scratch` bytes beside them, do not.
void require_vectors(const LaunchContext& context, std::size_t vectors, std::size_t size,
                     std::uint64_t scratch);

/// Memory for what a kernel writes, a multiple of 4 bytes. It was written once before, since a processor maps
/// new pages at their first use, which would be counted as time of the kernel; with numbers that are no
/// likely results, so that a kernel that reads it gives wrong values here as it does elsewhere.
Buffer touched_output(LaunchContext& context, std::uint64_t bytes);

/// Launches a kernel over the elements of vectors, in so many launches that none has over 2^26 work-items.
/// @param each elements of a work-item
/// @param group work-items of a group; nothing: left to the driver
/// @param bytes moved for an element
void launch_over_elements(LaunchContext& context, const char* stage, const cl::Kernel& kernel,
                          std::size_t size, std::size_t each, std::optional<std::size_t> group,
                          std::uint64_t bytes);

/// An input of an exercise on the device, kept between runs.
/// @param key changes with the content; @param others bytes that the run needs beside it
std::shared_ptr<const Buffer> input_on_device(LaunchContext& context, const std::string& key,
                                              const std::vector<float>& values, std::uint64_t others);
std::shared_ptr<const Buffer> input_on_device(LaunchContext& context, const std::string& key,
                                              const std::vector<std::uint32_t>& values, std::uint64_t others);

}  // namespace ks::gpu::basics
