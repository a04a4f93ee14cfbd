#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "gpu/runtime/launch_context.h"

namespace ks::gpu {

/// A frame compressed with bitshuffle and LZ4 (core/data/packed_frames.h), and the starts of its blocks:
/// everything that a device needs to decode it.
struct PackedFrame {
    std::span<const std::byte> bytes;  ///< the chunk, followed by the table: what is uploaded
    std::uint32_t chunk_bytes, table;  ///< the table's position, in 32-bit words
    std::uint32_t blocks, block_values;
};

/// Decodes frames on the device, one launch per frame (gpu/runtime/decode/bitshuffle_lz4.cl, which the
/// variant lists among its shared files).
class FrameDecoder {
  public:
    static constexpr const char* file = "gpu/runtime/decode/bitshuffle_lz4.cl";

    /// The layout of frames on the device: pixel (y, x) of frame k is at first + k * stride + y * pitch + x.
    struct Layout {
        std::size_t height, width;
        std::size_t first, stride, pitch;
    };
    /// @param element bytes per pixel: 1, 2 or 4
    FrameDecoder(LaunchContext& context, std::size_t element, const Layout& layout);

    /// Bytes of memory for a chunk of this size and its table.
    static std::size_t room(std::size_t chunk_bytes, std::size_t frame_bytes);
    /// Writes the table after a chunk. Returns nothing if the chunk is damaged, or if its blocks have a size
    /// that the kernel does not support; the host then decodes the chunk, or reports what is wrong.
    /// @param memory room(chunk_bytes, frame_bytes) bytes, aligned for words, starting with the chunk
    static std::optional<PackedFrame> prepared(std::span<std::byte> memory, std::size_t chunk_bytes,
                                               std::size_t frame_bytes, std::size_t element);

    /// Enqueues the decoding of frame k. If one of its blocks is invalid, word k of `damaged` becomes 1, and
    /// the pixels of that block stay unchanged.
    /// @param packed on the device, frame.bytes
    cl::Event enqueue(LaunchContext& context, const PackedFrame& frame, const Buffer& packed,
                      const Buffer& to, std::size_t k, const Buffer& damaged);

  private:
    Layout layout_;
    std::size_t element_, items_;
    cl::Kernel kernel_;
};

}  // namespace ks::gpu
