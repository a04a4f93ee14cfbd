#include "core/data/packed_frames.h"

#include <limits>

namespace ks {
namespace {

template <std::size_t bytes>
std::uint64_t big_endian(const std::byte* from) {
    std::uint64_t value = 0;
    for (std::size_t i = 0; i < bytes; ++i) value = value << 8 | std::to_integer<std::uint64_t>(from[i]);
    return value;
}

}  // namespace

std::optional<PackedBlocks> PackedBlocks::of(std::span<const std::byte> chunk, std::size_t bytes,
                                             std::size_t element) {
    if (chunk.size() < header_bytes || chunk.size() > std::numeric_limits<std::int32_t>::max() ||
        big_endian<8>(chunk.data()) != bytes)
        return std::nullopt;
    PackedBlocks blocks;
    blocks.values = big_endian<4>(chunk.data() + 8) / element;
    if (blocks.values == 0) blocks.values = default_bits_block(element);
    if (blocks.values % 8 != 0) return std::nullopt;
    const std::size_t in_blocks = bytes / element / 8 * 8,
                      count = in_blocks / blocks.values + (in_blocks % blocks.values > 0 ? 1 : 0);
    // Each block has at least a length field, so a damaged number cannot make us allocate memory.
    if (count > chunk.size() / length_bytes) return std::nullopt;
    blocks.starts.reserve(count + 1);
    std::size_t at = header_bytes;
    for (std::size_t i = 0; i < count; ++i) {
        if (chunk.size() - at < length_bytes) return std::nullopt;
        const std::size_t packed = big_endian<4>(chunk.data() + at);
        at += length_bytes;
        if (chunk.size() - at < packed) return std::nullopt;
        blocks.starts.push_back(static_cast<std::uint32_t>(at));
        at += packed;
    }
    blocks.starts.push_back(static_cast<std::uint32_t>(at + length_bytes));
    if (chunk.size() - at != bytes - in_blocks * element) return std::nullopt;
    return blocks;
}

}  // namespace ks
