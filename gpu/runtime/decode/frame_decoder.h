#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "gpu/runtime/launch_context.h"

namespace ks::gpu {

/// A frame as bitshuffle and LZ4 left it (core/data/packed_frames.h), and where its blocks start: what a
/// device needs to decode it.
struct PackedFrame {
    std::span<const std::byte> bytes;  ///< the chunk, and behind it the table: what is uploaded
    std::uint32_t chunk_bytes, table;  ///< the table's place, in words of 32 bits
    std::uint32_t blocks, block_values;
};

/// Decodes frames on the device, a launch a frame (gpu/runtime/decode/bitshuffle_lz4.cl, which the variant
/// names among its shared files).
class FrameDecoder {
  public:
    static constexpr const char* file = "gpu/runtime/decode/bitshuffle_lz4.cl";

    /// How frames lie on the device: pixel (y, x) of frame k at first + k * stride + y * pitch + x.
    struct Layout {
        std::size_t height, width;
        std::size_t first, stride, pitch;
    };
    /// @param element bytes of a pixel: 1, 2 or 4
    FrameDecoder(LaunchContext& context, std::size_t element, const Layout& layout);

    /// Bytes of memory for a chunk of so many bytes and its table.
    static std::size_t room(std::size_t chunk_bytes, std::size_t frame_bytes);
    /// Writes the table behind a chunk. Nothing where the chunk is damaged, or its blocks are of a size that
    /// the kernel does not take: the host decodes it, or tells what is wrong.
    /// @param memory room(chunk_bytes, frame_bytes) bytes, aligned for words, the chunk first
    static std::optional<PackedFrame> prepared(std::span<std::byte> memory, std::size_t chunk_bytes,
                                               std::size_t frame_bytes, std::size_t element);

    /// Enqueues decoding of frame k. Where a block of it is not sound, word k of `damaged` becomes 1, and
    /// pixels stay as they were.
    /// @param packed on the device, frame.bytes
    cl::Event enqueue(LaunchContext& context, const PackedFrame& frame, const Buffer& packed,
                      const Buffer& to, std::size_t k, const Buffer& damaged);

  private:
    Layout layout_;
    std::size_t element_, items_;
    cl::Kernel kernel_;
};

}  // namespace ks::gpu
