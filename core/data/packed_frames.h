#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace ks {

/// Frames as stored in a file, for code that decodes them itself. Each frame is bitshuffled and compressed by
/// LZ4 in blocks (see PackedBlocks); its values have size_of(type()) bytes each, in the byte order of this
/// machine. All functions may be called from several threads at once.
class PackedFrames {
  public:
    virtual ~PackedFrames() = default;

    /// Where a frame is stored.
    struct Place {
        std::uint64_t at;
        std::size_t bytes;
    };
    /// Nothing if this frame is missing or stored in another form.
    virtual std::optional<Place> find_packed(std::size_t frame) const = 0;
    /// False if the file no longer has these bytes; FrameSource::read() gives the reason.
    /// @param into place.bytes long
    virtual bool read_packed(std::size_t frame, const Place& place, std::span<std::byte> into) const = 0;
};

/// The blocks of a chunk compressed by bitshuffle with LZ4 (or zstd). Numbers are big-endian: 8 bytes: the
/// size of all values in bytes; 4 bytes: the size of a block's values in bytes; then the blocks, each
/// preceded by 4 bytes with its compressed length. Blocks contain a multiple of 8 values; the last block
/// contains the rest, rounded down to such a multiple. Up to 7 values remain uncompressed at the end.
struct PackedBlocks {
    std::size_t values = 0;  ///< per block; only the last one may have fewer
    std::vector<std::uint32_t>
        starts;  ///< offset in the chunk of each block's bytes, and where those of another block would be

    std::size_t count() const { return starts.size() - 1; }
    /// The compressed bytes of block i.
    std::span<const std::byte> block(std::span<const std::byte> chunk, std::size_t i) const {
        return chunk.subspan(starts[i], starts[i + 1] - length_bytes - starts[i]);
    }
    /// The uncompressed values at the end.
    std::span<const std::byte> rest(std::span<const std::byte> chunk) const {
        return chunk.subspan(starts.back() - length_bytes);
    }
    static constexpr std::size_t header_bytes = 12, length_bytes = 4;

    /// Nothing if the chunk is damaged: lengths that do not fit, a size other than `bytes`, a block whose
    /// number of values is not a multiple of 8, or bytes left over.
    /// @param bytes of all values
    /// @param element bytes per value
    static std::optional<PackedBlocks> of(std::span<const std::byte> chunk, std::size_t bytes,
                                          std::size_t element);
};

/// Values per block if the writer gave no size: 8 KiB worth, a multiple of 8, at least 128.
constexpr std::size_t default_bits_block(std::size_t element) {
    return element > 64 ? 128 : 8192 / element / 8 * 8;
}

}  // namespace ks
