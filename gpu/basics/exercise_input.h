#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/base/array.h"
#include "gpu/runtime/launch_context.h"

namespace ks::gpu::basics {

/// Throws ks::Error(input) with the largest size that would fit if `vectors` (one to three) of `size`
/// elements of 4 bytes, plus `scratch` bytes, do not fit.
void require_vectors(const LaunchContext& context, std::size_t vectors, std::size_t size,
                     std::uint64_t scratch);

/// Throws ks::Error(input) if the buffers of an exercise exceed the memory its run may hold on the device, or
/// if the largest of them exceeds the device's maximum allocation.
/// @param what the buffers: "ids of 512 work-items"; @param hint what to do
void require_room(const LaunchContext& context, std::uint64_t bytes, std::uint64_t largest,
                  const std::string& what, const std::string& hint);

/// Throws ks::Error(input) if a group of this size exceeds what the device allows, or `most` work-items.
void require_group(const LaunchContext& context, std::size_t items,
                   std::uint64_t most = std::numeric_limits<std::uint64_t>::max());

/// An out-of-order queue with profiling; empty if the device does not support one.
std::optional<cl::CommandQueue> any_order_queue(LaunchContext& context);

/// Memory for the output of a kernel, a multiple of 4 bytes. It is written once before the kernel runs,
/// because a CPU maps new pages when they are first used, which would count as kernel time. The values that
/// are written are unlikely results, so that a kernel that wrongly reads them gives wrong values.
Buffer touched_output(LaunchContext& context, std::uint64_t bytes);

/// Launches a kernel over the elements of vectors, in launches of at most 2^26 work-items each.
/// @param each elements per work-item
/// @param group work-items per group; empty: left to the driver
/// @param bytes moved per element
void launch_over_elements(LaunchContext& context, const char* stage, const cl::Kernel& kernel,
                          std::size_t size, std::size_t each, std::optional<std::size_t> group,
                          std::uint64_t bytes);

/// Covers `size` elements by short launches, each of a multiple of `grain`.
/// @param rate_guess elements per second; @param what is done to them, for the progress
/// @param launch enqueues the elements [first, last)
void cover_elements(LaunchContext& context, const char* what, std::size_t size, std::size_t grain,
                    double rate_guess,
                    const std::function<cl::Event(std::size_t first, std::size_t last)>& launch);

/// The result of an exercise, from the start of a buffer. Waits for all commands.
Array downloaded_array(LaunchContext& context, const char* stage, const Buffer& buffer, ElementType type,
                       const std::vector<std::size_t>& shape);

/// The median of `repeats` measurements, at least 1, after one that warms up.
double median_of(std::size_t repeats, const std::function<std::uint64_t()>& measure);

/// An input of an exercise on the device, kept between runs.
/// @param key changes with the content; @param others additional bytes that the run needs
std::shared_ptr<const Buffer> input_on_device(LaunchContext& context, const std::string& key,
                                              std::span<const std::byte> values, std::uint64_t others);
template <class T>
auto input_on_device(LaunchContext& context, const std::string& key, const std::vector<T>& values,
                     std::uint64_t others) {
    return input_on_device(context, key, std::as_bytes(std::span(values)), others);
}

}  // namespace ks::gpu::basics
