#pragma once

#include <chrono>
#include <cstdint>
#include <deque>
#include <memory>
#include <span>
#include <vector>

#include "core/base/parallel.h"
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

/// Reads frames ahead on threads of their own: several side by side where the source can, as frames that are
/// compressed take a core longer than a device. The values of several frames live at the same time: those
/// being read, those on their way through the device, those that the sink gets. For a GPU they are copied
/// into page-locked memory, which is dear to make: that of a few frames serves one upload after another.
class FrameReader {
  public:
    /// @param alive frames whose values live at the same time, beside those that are read ahead
    FrameReader(const ks::spots::SpotProblem& problem, DeviceContext& device, std::size_t alive);

    /// How many frames are to be started before the first of them is taken.
    std::size_t ahead() const { return ahead_; }
    /// Starts reading; of the frames that were taken the last `alive` keep their values.
    /// @param for_upload they will be copied to the device: uploading() tells when that has ended
    void start(std::size_t frame, bool for_upload);
    struct Read {
        std::span<const std::byte> pixels;     ///< [y][x] as in the file
        std::span<const std::byte> to_upload;  ///< the same, where a device reads them best
        std::uint64_t nanoseconds = 0;         ///< for which no other frame was read before its end
    };
    /// Waits for the first of what start() began and nobody took.
    Read take();
    /// What was taken is copied from `to_upload` until `uploaded`, which is in a queue that was flushed. To
    /// be called before start() is for the next time.
    void uploading(std::span<const std::byte> to_upload, const cl::Event& uploaded);

  private:
    /// Page-locked memory of a frame.
    struct Staging {
        std::unique_ptr<PinnedMemory> pinned;
        cl::Event uploaded;  ///< what is in it; null: nothing was
    };
    Staging* next_staging();

    const ks::spots::SpotProblem& problem_;
    DeviceContext& device_;
    unsigned threads_;                            ///< that copy
    std::vector<std::vector<std::byte>> places_;  ///< values as they were read
    std::vector<Staging> stagings_;               ///< some are filled while others are uploaded
    std::size_t ahead_, next_ = 0, staged_ = 0;
    using Time = std::chrono::steady_clock::time_point;
    struct Timed {
        Read read;
        Time begin, end;
    };
    struct Started {
        Read there;  ///< where nothing is pending
        Pending<Timed> pending;
    };
    std::deque<Started> started_;
    Time read_until_;  ///< the last of what was taken
};

}  // namespace ks::gpu::spots
