#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "gpu/runtime/decode/frame_decoder.h"
#include "gpu/spots/signal_kernels.h"

namespace ks::gpu::spots {

/// Uploads frames as stored in the file, and decodes them on the device into the images of a batch.
/// Compressed frames wait in a ring of buffers; its length determines how far uploads can run ahead of the
/// kernels.
class PackedUpload {
  public:
    /// Whether a device can decode the frames at all. It cannot decode frames of modules, because the kernel
    /// writes only whole frames.
    static bool takes(const SpotProblem& problem);
    /// The codec does not write longer chunks than this; such chunks are left to the host.
    static std::size_t most_chunk_bytes(const SpotProblem& problem);
    /// Device bytes that the ring may take.
    static std::uint64_t ring_bytes(const SpotProblem& problem);

    /// @param upload_queue for copies in parallel to kernels, or the device's own
    PackedUpload(const SpotProblem& problem, const PlaneShape& shape, LaunchContext& context,
                 cl::CommandQueue upload_queue);

    /// Which frames of a batch could not be decoded.
    struct Damage {
        Buffer flags;  ///< one word per frame
        std::vector<std::uint32_t> read;
        cl::Event there;
    };
    Damage make(std::size_t frames) const;
    /// Call before the first upload() of a batch.
    void begin(Damage& damage);
    /// Enqueues copy and decoding. @return event after which frame.bytes is no longer needed
    cl::Event upload(const PackedFrame& frame, const Buffer& images, std::size_t place, const Damage& damage);
    /// Enqueues the download of what upload() found; `damage` must not move until damaged().
    void end(Damage& damage);
    /// Waits for the download. @return positions of the damaged frames in the batch
    static std::vector<std::size_t> damaged(const Damage& damage);

  private:
    static constexpr std::size_t ring_frames = 16;
    struct Packed {
        Buffer buffer;
        cl::Event decoded;  ///< of what was in it; null: nothing was
    };
    LaunchContext& context_;
    cl::CommandQueue upload_queue_;
    FrameDecoder decoder_;
    std::vector<Packed> ring_;
    std::size_t next_ = 0;
};

}  // namespace ks::gpu::spots
