#include "gpu/runtime/decode/frame_decoder.h"

#include <algorithm>
#include <numeric>
#include <string>

#include "core/data/packed_frames.h"
#include "gpu/runtime/tuned_defines.h"

namespace ks::gpu {
namespace {

constexpr std::size_t word = sizeof(std::uint32_t);
/// Bytes per block: bitshuffle's default is 8 KiB; tables of much smaller ones are as large as the chunk.
constexpr std::size_t smallest_block = 256, largest_block = 8192;

/// On processors the work-items would take turns at each barrier.
const TuningTable& decoding() {
    static const TuningTable rows{
        {"", "", {{"WG", "32"}}}, {"CPU", "", {{"WG", "1"}}}, {"Oclgrind", "", {{"WG", "32"}}}};
    return rows;
}

}  // namespace

FrameDecoder::FrameDecoder(LaunchContext& context, std::size_t element, const Layout& layout)
    : layout_(layout), element_(element) {
    constexpr std::size_t most_at_once = 8;  // bytes
    const std::size_t at_once = std::gcd(std::gcd(std::gcd(layout.width, layout.pitch), layout.first),
                                         std::gcd(layout.stride, most_at_once / element));
    auto defines = tuned(decoding(), context.info(), ElementType::u8);
    items_ = number(defines, "WG");
    defines["ELEMENT"] = std::to_string(element);
    defines["BLOCK"] = std::to_string(largest_block);
    defines["AT_ONCE"] = std::to_string(at_once);
    kernel_ = context.kernel(file, "decode_blocks", defines);
}

std::size_t FrameDecoder::room(std::size_t chunk_bytes, std::size_t frame_bytes) {
    return rounded_up(chunk_bytes, word) + (frame_bytes / smallest_block + 2) * word;
}

std::optional<PackedFrame> FrameDecoder::prepared(std::span<std::byte> memory, std::size_t chunk_bytes,
                                                  std::size_t frame_bytes, std::size_t element) {
    const auto blocks = PackedBlocks::of(memory.first(chunk_bytes), frame_bytes, element);
    if (!blocks || blocks->count() == 0) return std::nullopt;
    const std::size_t block_bytes = blocks->values * element;
    if (block_bytes > largest_block || block_bytes < smallest_block) return std::nullopt;
    const std::size_t table = rounded_up(chunk_bytes, word);
    const auto starts = std::as_bytes(std::span(blocks->starts));
    std::ranges::copy(starts, memory.begin() + static_cast<std::ptrdiff_t>(table));
    return PackedFrame{memory.first(table + starts.size()), static_cast<std::uint32_t>(chunk_bytes),
                       static_cast<std::uint32_t>(table / word), static_cast<std::uint32_t>(blocks->count()),
                       static_cast<std::uint32_t>(blocks->values)};
}

cl::Event FrameDecoder::enqueue(LaunchContext& context, const PackedFrame& frame, const Buffer& packed,
                                const Buffer& to, std::size_t k, const Buffer& damaged) {
    const std::size_t pixels = layout_.height * layout_.width;
    set_arguments(kernel_, packed, cl_uint{frame.chunk_bytes}, packed, cl_uint{frame.table},
                  static_cast<cl_uint>(pixels), cl_uint{frame.block_values}, to,
                  static_cast<cl_ulong>(layout_.first + k * layout_.stride),
                  static_cast<cl_uint>(layout_.width), static_cast<cl_uint>(layout_.pitch), damaged,
                  static_cast<cl_uint>(k));
    return context.launch("decode frames", kernel_, {frame.blocks * items_}, {items_},
                          {frame.bytes.size() + pixels * element_, 0});
}

}  // namespace ks::gpu
