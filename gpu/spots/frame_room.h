#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "gpu/runtime/launch_context.h"
#include "gpu/spots/signal_kernels.h"

namespace ks::gpu::spots {

/// Device bytes for the batches of a run: each batch is the frames that one launch takes.
struct RoomNeeds {
    std::uint64_t once;   ///< mask and scratch
    std::uint64_t slot;   ///< signal of a batch in progress
    std::uint64_t plane;  ///< images of a batch
};

/// How a run's batches share the device's budget: how many are in progress at the same time (2, or 1 if there
/// is no room), and how many of the first ones stay for the next run.
struct FrameRoom {
    std::size_t slots, kept;
    /// Throws ks::Error(input) naming the smallest budget if not even one batch fits.
    static FrameRoom of(const RoomNeeds& needs, std::size_t batches, const LaunchContext& context);
};

/// Makes room for a run: data that were kept for other runs are dropped. Data under `keys` (mask and kept
/// frames, the most important ones first) stay if they are there.
/// @param key_bytes of each of them; @param others further bytes that the run needs
void make_room(DeviceContext& device, std::uint64_t budget, const std::vector<std::string>& keys,
               const std::vector<std::uint64_t>& key_bytes, std::uint64_t others);

/// Keys under which frames (those present from `first` to `last`) and mask stay on the device.
std::string frames_key(const SpotProblem& problem, std::size_t first, std::size_t last);
std::string mask_key(const SpotProblem& problem);

}  // namespace ks::gpu::spots
