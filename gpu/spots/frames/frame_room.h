#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "gpu/runtime/launch_context.h"
#include "gpu/spots/frames/frame_pipeline.h"

namespace ks::gpu::spots {

/// Device bytes that the batches of a run need: some frames each, that one launch takes.
struct RoomNeeds {
    std::uint64_t once;   ///< mask and scratch
    std::uint64_t slot;   ///< signal of a batch on its way
    std::uint64_t plane;  ///< images of a batch
};

/// How a run's batches share the device's budget: how many are on their way at the same time (2, or 1 where
/// there is no room), and how many of the first stay for the next run.
struct FrameRoom {
    std::size_t slots, kept;
    /// Throws ks::Error(input) naming the smallest budget where one batch does not fit.
    static FrameRoom of(const RoomNeeds& needs, std::size_t batches, const LaunchContext& context);
};

/// Makes room for what a run needs: data kept for others go, those under `keys` (mask and kept frames, most
/// wanted first) stay where they are there.
/// @param key_bytes of each of them; @param others bytes that the run needs besides
void make_room(DeviceContext& device, std::uint64_t budget, const std::vector<std::string>& keys,
               const std::vector<std::uint64_t>& key_bytes, std::uint64_t others);

/// Under which keys frames (those there from `first` to `last`) and mask stay on the device.
std::string frames_key(const SpotProblem& problem, std::size_t first, std::size_t last);
std::string mask_key(const SpotProblem& problem);

}  // namespace ks::gpu::spots
