#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace ks {

/// Frames as they lie in a file, for whoever decodes them by itself: each bitshuffled and compressed by LZ4
/// in blocks (see PackedBlocks), its values in the byte order of this machine, size_of(type()) bytes each.
/// All of it may be called from several threads at once.
class PackedFrames {
  public:
    virtual ~PackedFrames() = default;

    /// Where a frame lies.
    struct Place {
        std::uint64_t at;
        std::size_t bytes;
    };
    /// Nothing where this frame is not there, or lies there in another form.
    virtual std::optional<Place> find_packed(std::size_t frame) const = 0;
    /// False where the file does not have these bytes any more; FrameSource::read() tells why.
    /// @param into place.bytes long
    virtual bool read_packed(std::size_t frame, const Place& place, std::span<std::byte> into) const = 0;
};

/// The blocks of bitshuffle in a chunk that it packed by LZ4 (or zstd). Numbers are big-endian: 8 bytes, the
/// bytes of all values; 4 bytes, the bytes of a block's values; then the blocks, each 4 bytes, its length as
/// compressed, and so many bytes. Blocks hold values by multiples of 8, the last one what is left of them; up
/// to 7 values stay at the end as they are.
struct PackedBlocks {
    std::size_t values = 0;  ///< of a block; only the last one may have fewer
    std::vector<std::uint32_t>
        starts;  ///< in the chunk, of each block's bytes, and where another one's would be

    std::size_t count() const { return starts.size() - 1; }
    /// What is compressed of block i.
    std::span<const std::byte> block(std::span<const std::byte> chunk, std::size_t i) const {
        return chunk.subspan(starts[i], starts[i + 1] - length_bytes - starts[i]);
    }
    /// The values at the end.
    std::span<const std::byte> rest(std::span<const std::byte> chunk) const {
        return chunk.subspan(starts.back() - length_bytes);
    }
    static constexpr std::size_t header_bytes = 12, length_bytes = 4;

    /// Nothing where the chunk is damaged: lengths that do not fit, another number of bytes than `bytes`, a
    /// block whose values are no multiple of 8, bytes that are left over.
    /// @param bytes of all values @param element bytes of a value
    static std::optional<PackedBlocks> of(std::span<const std::byte> chunk, std::size_t bytes,
                                          std::size_t element);
};

/// Values of a block of bitshuffle where the writer named no size: 8 KiB, a multiple of 8, 128 at least.
constexpr std::size_t default_bits_block(std::size_t element) {
    return element > 64 ? 128 : 8192 / element / 8 * 8;
}

}  // namespace ks
