#pragma once

#include <cstdint>
#include <future>
#include <memory>
#include <span>
#include <vector>

#include "core/run/thread_pool.h"
#include "core/spots/problem.h"
#include "gpu/runtime/launch_context.h"

namespace ks::gpu::spots {

/// Host memory that a GPU reads without a copy by the driver. Empty on other devices.
class PinnedMemory {
  public:
    PinnedMemory(DeviceContext& device, std::size_t bytes);
    ~PinnedMemory();
    PinnedMemory(const PinnedMemory&) = delete;
    PinnedMemory& operator=(const PinnedMemory&) = delete;
    std::span<std::byte> bytes() const { return bytes_; }

  private:
    cl::CommandQueue queue_;
    cl::Buffer buffer_;
    std::span<std::byte> bytes_;
};

/// Reads one frame ahead on a thread of its own. The values of several frames live at the same time: the one
/// being read, those on their way through the device, those that the sink gets.
class FrameReader {
  public:
    /// @param alive frames whose values live at the same time
    FrameReader(const ks::spots::SpotProblem& problem, DeviceContext& device, std::size_t alive);

    /// Starts reading; the values of the frame `alive` before are gone.
    /// @param for_upload they will be copied to the device
    void start(std::size_t frame, bool for_upload);
    struct Read {
        std::span<const std::byte> pixels;     ///< [y][x] as in the file
        std::span<const std::byte> to_upload;  ///< the same, where a device reads them best
        std::uint64_t nanoseconds = 0;
    };
    /// Waits for what start() began.
    Read take() { return pending_.get(); }

  private:
    struct Place {
        std::vector<std::byte> scratch;
        std::unique_ptr<PinnedMemory> pinned;
    };
    const ks::spots::SpotProblem& problem_;
    DeviceContext& device_;
    ThreadPool threads_;  ///< that copy
    std::vector<Place> places_;
    std::size_t next_ = 0;
    std::future<Read> pending_;
};

}  // namespace ks::gpu::spots
