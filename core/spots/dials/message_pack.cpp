#include "core/spots/dials/message_pack.h"

namespace ks::spots {
namespace {
constexpr std::size_t piece = std::size_t{1} << 18;
}

void MessagePack::big_endian(std::uint64_t value, unsigned bytes) {
    for (unsigned i = bytes; i-- > 0;) byte(static_cast<unsigned>(value >> 8 * i & 0xff));
}

void MessagePack::size(std::uint32_t value, unsigned first, std::uint32_t few, unsigned mark) {
    if (value < few) return byte(first | value);
    const bool is_short = value <= 0xffff;
    byte(is_short ? mark : mark + 1);
    big_endian(value, is_short ? 2 : 4);
}

void MessagePack::text(std::string_view value) {
    const auto length = static_cast<std::uint32_t>(value.size());
    if (length >= 32 && length <= 0xff) {
        byte(0xd9);
        byte(length);
    } else {
        size(length, 0xa0, 32, 0xda);
    }
    pending_ += value;
}

void MessagePack::number(std::uint64_t value) {
    if (value < 128) return byte(static_cast<unsigned>(value));
    const unsigned kind = value <= 0xff ? 0 : value <= 0xffff ? 1 : value <= 0xffffffff ? 2 : 3;
    byte(0xcc + kind);
    big_endian(value, 1U << kind);
}

void MessagePack::binary(std::uint32_t bytes) {
    const unsigned kind = bytes <= 0xff ? 0 : bytes <= 0xffff ? 1 : 2;
    byte(0xc4 + kind);
    big_endian(bytes, 1U << kind);
}

void MessagePack::put(std::span<const std::byte> bytes) {
    pending_.append(reinterpret_cast<const char*>(bytes.data()), bytes.size());
    if (pending_.size() >= piece) flush();
}

void MessagePack::flush() {
    file_.write(std::string_view(pending_));
    pending_.clear();
}

}  // namespace ks::spots
