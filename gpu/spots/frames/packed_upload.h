#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "gpu/runtime/decode/frame_decoder.h"
#include "gpu/spots/frames/frame_pipeline.h"

namespace ks::gpu::spots {

/// Takes frames to the device as they lie in the file, and decodes them there into the images of a batch.
/// What is compressed waits in a ring of buffers: uploads run ahead of the kernels by as many frames.
class PackedUpload {
  public:
    /// Whether the frames can be decoded on a device at all. Frames of modules are not yet: the kernel writes
    /// whole ones.
    static bool takes(const SpotProblem& problem);
    /// Longer chunks are not what the codec writes, and left to the host.
    static std::size_t most_chunk_bytes(const SpotProblem& problem);
    /// Device bytes that the ring may take.
    static std::uint64_t ring_bytes(const SpotProblem& problem);

    /// @param upload_queue where copies run beside kernels, or the device's own
    PackedUpload(const SpotProblem& problem, const PlaneShape& shape, LaunchContext& context,
                 cl::CommandQueue upload_queue);

    /// Of a batch: which of its frames could not be decoded.
    struct Damage {
        Buffer flags;  ///< a word for each frame
        std::vector<std::uint32_t> read;
        cl::Event there;
    };
    Damage make(std::size_t frames) const;
    /// Before the first upload() of a batch.
    void begin(Damage& damage);
    /// Enqueues copy and decoding. @return when frame.bytes is not needed any more
    cl::Event upload(const PackedFrame& frame, const Buffer& images, std::size_t place, const Damage& damage);
    /// Enqueues the reading of what upload() found; `damage` must not move until damaged().
    void end(Damage& damage);
    /// Waits for it: places in the batch.
    static std::vector<std::size_t> damaged(const Damage& damage);

  private:
    static constexpr std::size_t ring_frames = 16;
    struct Packed {
        Buffer buffer;
        cl::Event decoded;  ///< what was in it; null: nothing was
    };
    LaunchContext& context_;
    cl::CommandQueue upload_queue_;
    FrameDecoder decoder_;
    std::vector<Packed> ring_;
    std::size_t next_ = 0;
};

}  // namespace ks::gpu::spots
