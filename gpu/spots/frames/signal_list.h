#pragma once

#include <cstdint>
#include <vector>

#include "core/spots/problem.h"
#include "gpu/runtime/launch_context.h"
#include "gpu/spots/frames/frame_pipeline.h"

namespace ks::gpu::spots {

/// Ascending list of the pixels whose bit is set, made on the device (gpu/spots/frames/signal_list.cl) and
/// read in pieces of a fixed size: any number of signal pixels comes through.
class SignalLists {
  public:
    /// @param modules of all frames of a list
    SignalLists(const SpotProblem& problem, std::size_t modules, LaunchContext& context);

    /// A list on its way to the host.
    struct Pending {
        Buffer counts, list;      ///< made by make()
        std::size_t modules = 0;  ///< that it is of
        cl::Event read;
        std::vector<std::uint32_t> head;  ///< the number of signal pixels, then the first of them
    };
    std::uint64_t pending_bytes() const;
    Pending make(LaunchContext& context) const;

    /// Enqueues listing and reading of what is in the first `modules` of `bits`; `pending` must not move
    /// until taken.
    void enqueue(LaunchContext& context, const Buffer& bits, std::size_t modules, Pending& pending);
    /// Waits for it: indices [module][y][x], ascending. `bits` must still be the same.
    std::vector<std::uint32_t> take(LaunchContext& context, const Buffer& bits, Pending& pending);

  private:
    void list_from(LaunchContext& context, const Buffer& bits, const Pending& pending, std::uint32_t first);

    PlaneShape shape_;
    std::size_t group_, block_, capacity_, expected_;
    cl::Kernel count_, list_;
};

}  // namespace ks::gpu::spots
