#include "core/io/hdf5/chunk_codec.h"

#include <libdeflate.h>
#include <lz4.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <memory>

namespace ks::io::h5 {
namespace {

constexpr H5Z_filter_t bitshuffle_filter = 32008;
constexpr unsigned bitshuffle_lz4 = 2;

/// Bytes of equal place lie together: all first bytes of the values, then all second ones. What is less than
/// a value stays at the end as it is.
template <std::size_t size>
void unshuffle(const std::byte* from, std::byte* into, std::size_t count) {
    for (std::size_t i = 0; i < count; ++i)
        for (std::size_t byte = 0; byte < size; ++byte) into[i * size + byte] = from[byte * count + i];
}

void unshuffle_any(std::span<const std::byte> from, std::byte* into, std::size_t size) {
    const std::size_t count = from.size() / size;
    switch (size) {
        case 2:
            unshuffle<2>(from.data(), into, count);
            break;
        case 4:
            unshuffle<4>(from.data(), into, count);
            break;
        case 8:
            unshuffle<8>(from.data(), into, count);
            break;
        default:
            for (std::size_t i = 0; i < count; ++i)
                for (std::size_t byte = 0; byte < size; ++byte)
                    into[i * size + byte] = from[byte * count + i];
    }
    std::copy(from.begin() + static_cast<std::ptrdiff_t>(count * size), from.end(), into + count * size);
}

/// Mirrors a square of 8 x 8 bits at its diagonal: byte i, bit k to byte k, bit i.
std::uint64_t transposed(std::uint64_t x) {
    std::uint64_t t = (x ^ (x >> 7)) & 0x00aa00aa00aa00aaULL;
    x ^= t ^ (t << 7);
    t = (x ^ (x >> 14)) & 0x0000cccc0000ccccULL;
    x ^= t ^ (t << 14);
    t = (x ^ (x >> 28)) & 0x00000000f0f0f0f0ULL;
    return x ^ t ^ (t << 28);
}

/// Bits of equal place of `count` values (a multiple of 8) lie together, those of the lowest bit first: row
/// 8 * byte + bit has count / 8 bytes, the first value in the lowest bit.
void unshuffle_bits(const std::byte* from, std::byte* into, std::size_t count, std::size_t size) {
    const std::size_t row = count / 8;
    for (std::size_t byte = 0; byte < size; ++byte) {
        const std::byte* const rows = from + 8 * byte * row;
        for (std::size_t group = 0; group < row; ++group) {
            std::uint64_t square = 0;
            for (std::size_t bit = 0; bit < 8; ++bit)
                square |= std::to_integer<std::uint64_t>(rows[bit * row + group]) << (8 * bit);
            square = transposed(square);
            std::byte* const to = into + 8 * group * size + byte;
            for (std::size_t value = 0; value < 8; ++value)
                to[value * size] = static_cast<std::byte>(square >> (8 * value));
        }
    }
}

/// Big-endian, as bitshuffle writes its sizes.
template <std::size_t bytes>
std::uint64_t number(const std::byte* from) {
    std::uint64_t value = 0;
    for (std::size_t i = 0; i < bytes; ++i) value = value << 8 | std::to_integer<std::uint64_t>(from[i]);
    return value;
}

/// Values of a block where the writer named no size: 8 KiB, a multiple of 8, 128 at least.
std::size_t default_block(std::size_t element) {
    return std::max<std::size_t>(8192 / element / 8 * 8, 128);
}

/// Calls use(begin in bytes, values) for each block of bitshuffle in `bytes` bytes; false where one failed.
/// Returns the bytes that were in blocks, or nothing.
template <class Use>
std::optional<std::size_t> each_block(std::size_t bytes, std::size_t element, std::size_t block,
                                      const Use& use) {
    const std::size_t values = bytes / element;
    std::size_t at = 0;
    while (at < values) {
        const std::size_t count = std::min(block, (values - at) / 8 * 8);
        if (count == 0) break;
        if (!use(at * element, count)) return std::nullopt;
        at += count;
    }
    return at * element;
}

bool inflate(std::span<const std::byte> from, std::span<std::byte> into) {
    thread_local const std::unique_ptr<libdeflate_decompressor, decltype(&libdeflate_free_decompressor)>
        decompressor(libdeflate_alloc_decompressor(), &libdeflate_free_decompressor);
    return decompressor &&
           libdeflate_zlib_decompress(decompressor.get(), from.data(), from.size(), into.data(), into.size(),
                                      nullptr) == LIBDEFLATE_SUCCESS;
}

bool undo_bits(std::span<const std::byte> from, std::span<std::byte> into, std::size_t element,
               std::size_t block) {
    if (from.size() != into.size()) return false;
    const auto done = each_block(into.size(), element, block, [&](std::size_t at, std::size_t count) {
        unshuffle_bits(from.data() + at, into.data() + at, count, element);
        return true;
    });
    if (!done) return false;
    std::copy(from.begin() + static_cast<std::ptrdiff_t>(*done), from.end(), into.data() + *done);
    return true;
}

bool undo_bits_lz4(std::span<const std::byte> from, std::span<std::byte> into, std::size_t element) {
    constexpr std::size_t header = 12;
    if (from.size() < header || number<8>(from.data()) != into.size()) return false;
    std::size_t block = number<4>(from.data() + 8) / element;
    if (block == 0) block = default_block(element);
    if (block % 8 != 0) return false;
    std::size_t read = header;
    thread_local std::vector<std::byte> rows;
    rows.resize(std::min(block * element, into.size()));
    const auto done = each_block(into.size(), element, block, [&](std::size_t at, std::size_t count) {
        if (from.size() - read < 4) return false;
        const std::size_t packed = number<4>(from.data() + read);
        read += 4;
        if (from.size() - read < packed) return false;
        const auto expected = static_cast<int>(count * element);
        const int found =
            LZ4_decompress_safe(reinterpret_cast<const char*>(from.data() + read),
                                reinterpret_cast<char*>(rows.data()), static_cast<int>(packed), expected);
        if (found != expected) return false;
        read += packed;
        unshuffle_bits(rows.data(), into.data() + at, count, element);
        return true;
    });
    if (!done || from.size() - read != into.size() - *done) return false;
    std::copy(from.begin() + static_cast<std::ptrdiff_t>(read), from.end(), into.data() + *done);
    return true;
}

}  // namespace

std::optional<ChunkCodec> ChunkCodec::of(hid_t properties, std::size_t element, std::size_t chunk) {
    ChunkCodec codec;
    // LZ4 counts in int, and a chunk of HDF5 has at most 4 GiB.
    if (chunk == 0 || chunk > std::size_t{1} << 31) return std::nullopt;
    const int count = H5Pget_nfilters(properties);
    for (int i = 0; i < count; ++i) {
        unsigned flags = 0, config = 0;
        std::array<unsigned, 8> values{};
        std::size_t given = values.size();
        const H5Z_filter_t filter = H5Pget_filter2(properties, static_cast<unsigned>(i), &flags, &given,
                                                   values.data(), 0, nullptr, &config);
        const auto value = [&](std::size_t at) { return at < given ? values.at(at) : 0U; };
        if (filter == H5Z_FILTER_DEFLATE) {
            codec.filters_.push_back({Kind::inflate, element, 0});
        } else if (filter == H5Z_FILTER_SHUFFLE) {
            codec.filters_.push_back({Kind::unshuffle, given > 0 ? value(0) : element, 0});
        } else if (filter == bitshuffle_filter && given >= 3 && value(2) > 0) {
            if (value(4) != 0 && value(4) != bitshuffle_lz4) return std::nullopt;
            const std::size_t block = value(3) > 0 ? value(3) : default_block(value(2));
            if (block % 8 != 0 || block > (std::size_t{1} << 30) / value(2)) return std::nullopt;
            codec.filters_.push_back(
                {value(4) == bitshuffle_lz4 ? Kind::bits_lz4 : Kind::bits, value(2), block});
        } else {
            return std::nullopt;
        }
        if (codec.filters_.back().element == 0) return std::nullopt;
    }
    return codec;
}

bool ChunkCodec::undo(const Filter& filter, std::span<const std::byte> from,
                      std::span<std::byte> into) const {
    switch (filter.kind) {
        case Kind::inflate:
            return inflate(from, into);
        case Kind::bits:
            return undo_bits(from, into, filter.element, filter.block);
        case Kind::bits_lz4:
            return undo_bits_lz4(from, into, filter.element);
        case Kind::unshuffle:
            break;
    }
    if (from.size() != into.size()) return false;
    unshuffle_any(from, into.data(), filter.element);
    return true;
}

bool ChunkCodec::decode(std::span<const std::byte> stored, std::uint32_t skipped, Scratch& scratch,
                        std::span<std::byte> into) const {
    std::vector<const Filter*> used;
    for (std::size_t i = filters_.size(); i-- > 0;)
        if ((skipped >> i & 1) == 0) used.push_back(&filters_[i]);
    if (used.empty()) {
        if (stored.size() != into.size()) return false;
        std::copy(stored.begin(), stored.end(), into.begin());
        return true;
    }
    // Every filter but the last one gives as many bytes as the chunk has.
    std::span<const std::byte> from = stored;
    for (std::size_t i = 0; i + 1 < used.size(); ++i) {
        RawBytes& between = i % 2 == 0 ? scratch.one : scratch.other;
        between.make_room(into.size());
        if (!undo(*used[i], from, between)) return false;
        from = between;
    }
    return undo(*used.back(), from, into);
}

}  // namespace ks::io::h5
