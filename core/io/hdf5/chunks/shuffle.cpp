#include "core/io/hdf5/chunks/shuffle.h"

#include <algorithm>
#include <array>
#include <cstring>

namespace ks::io::h5 {
namespace {

/// Calls copy(byte among the values, byte among the shuffled rows) for each byte of `count` values
/// of `size` bytes.
template <class Copy>
void each_byte(std::size_t count, std::size_t size, const Copy& copy) {
    for (std::size_t i = 0; i < count; ++i)
        for (std::size_t byte = 0; byte < size; ++byte) copy(i * size + byte, byte * count + i);
}

/// For common sizes, the size is a compile-time constant.
template <class Copy>
void each_byte_of(std::span<const std::byte> from, std::byte* into, std::size_t size, const Copy& copy) {
    const std::size_t count = from.size() / size;
    switch (size) {
        case 2:
            each_byte(count, 2, copy);
            break;
        case 4:
            each_byte(count, 4, copy);
            break;
        case 8:
            each_byte(count, 8, copy);
            break;
        default:
            each_byte(count, size, copy);
    }
    std::copy(from.begin() + static_cast<std::ptrdiff_t>(count * size), from.end(), into + count * size);
}

/// Part of a row of bits, and bytes. Every 64-bit processor has registers of at least this size.
using Bytes16 = std::uint8_t __attribute__((vector_size(16)));
using Words2 = std::uint64_t __attribute__((vector_size(16)));
constexpr std::size_t lanes = sizeof(Bytes16);

template <std::size_t n>
using Parts = std::array<Bytes16, n>;

/// Byte g of part m moves to g * n + m. Each round is a perfect shuffle: the highest bit of the position
/// becomes the lowest.
template <std::size_t n>
void interleave(Parts<n>& parts) {
    for (std::size_t round = 1; round < n; round *= 2) {
        const Parts<n> before = parts;
        for (std::size_t i = 0; i < n / 2; ++i) {
            const Bytes16 a = before[i], b = before[i + n / 2];
            parts[2 * i] =
                __builtin_shufflevector(a, b, 0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23);
            parts[2 * i + 1] =
                __builtin_shufflevector(a, b, 8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15, 31);
        }
    }
}

/// Bit i of part k moves to bit k of part i, in all bytes at once.
void transpose_bits(std::array<Words2, 8>& rows) {
    constexpr std::array<std::uint64_t, 3> masks{0x0f0f0f0f0f0f0f0fULL, 0x3333333333333333ULL,
                                                 0x5555555555555555ULL};
    for (std::size_t level = 0; level < masks.size(); ++level) {
        const std::size_t step = 4U >> level;
        for (std::size_t k = 0; k < rows.size(); ++k) {
            if ((k & step) != 0) continue;
            const Words2 swapped = ((rows[k] >> step) ^ rows[k + step]) & masks[level];
            rows[k + step] ^= swapped;
            rows[k] ^= swapped << step;
        }
    }
}

/// unshuffle_bits() of the first groups of 8 values.
/// @return how many groups
template <std::size_t size>
std::size_t join_bits(const std::byte* from, std::byte* into, std::size_t count) {
    const std::size_t row = count / 8;
    std::size_t group = 0;
    for (; group + lanes <= row; group += lanes) {
        Parts<8 * size> parts;
        for (std::size_t byte = 0; byte < size; ++byte) {
            std::array<Words2, 8> rows;
            for (std::size_t bit = 0; bit < 8; ++bit)
                std::memcpy(&rows[bit], from + (8 * byte + bit) * row + group, lanes);
            transpose_bits(rows);
            for (std::size_t i = 0; i < 8; ++i) std::memcpy(&parts[i * size + byte], &rows[i], lanes);
        }
        interleave(parts);
        std::memcpy(into + group * 8 * size, parts.data(), sizeof parts);
    }
    return group;
}

/// Transposes a square of 8 x 8 bits: byte i, bit k to byte k, bit i.
std::uint64_t transposed(std::uint64_t x) {
    std::uint64_t t = (x ^ (x >> 7)) & 0x00aa00aa00aa00aaULL;
    x ^= t ^ (t << 7);
    t = (x ^ (x >> 14)) & 0x0000cccc0000ccccULL;
    x ^= t ^ (t << 14);
    t = (x ^ (x >> 28)) & 0x00000000f0f0f0f0ULL;
    return x ^ t ^ (t << 28);
}

/// A square of bits: 8 bytes that are `step` bytes apart, and their destination.
struct Side {
    std::size_t first, step;
};
void put_square(const std::byte* from, Side read, std::byte* into, Side write) {
    std::uint64_t square = 0;
    for (std::size_t i = 0; i < 8; ++i)
        square |= std::to_integer<std::uint64_t>(from[read.first + i * read.step]) << (8 * i);
    square = transposed(square);
    for (std::size_t i = 0; i < 8; ++i)
        into[write.first + i * write.step] = static_cast<std::byte>(square >> (8 * i));
}

/// Calls use(side among values, side among rows of bits) for each square of a block, starting at a group
/// of 8 values.
template <class Use>
void each_square(std::size_t count, std::size_t size, std::size_t first, const Use& use) {
    const std::size_t row = count / 8;
    for (std::size_t byte = 0; byte < size; ++byte)
        for (std::size_t group = first; group < row; ++group)
            use(Side{8 * group * size + byte, size}, Side{8 * byte * row + group, row});
}

}  // namespace

void shuffle_bytes(std::span<const std::byte> from, std::byte* into, std::size_t size) {
    each_byte_of(from, into, size, [&](std::size_t value, std::size_t row) { into[row] = from[value]; });
}

void unshuffle_bytes(std::span<const std::byte> from, std::byte* into, std::size_t size) {
    each_byte_of(from, into, size, [&](std::size_t value, std::size_t row) { into[value] = from[row]; });
}

void shuffle_bits(const std::byte* from, std::byte* into, std::size_t count, std::size_t size) {
    each_square(count, size, 0,
                [&](const Side& values, const Side& rows) { put_square(from, values, into, rows); });
}

void unshuffle_bits(const std::byte* from, std::byte* into, std::size_t count, std::size_t size) {
    const std::size_t done = size == 1   ? join_bits<1>(from, into, count)
                             : size == 2 ? join_bits<2>(from, into, count)
                             : size == 4 ? join_bits<4>(from, into, count)
                                         : 0;
    each_square(count, size, done,
                [&](const Side& values, const Side& rows) { put_square(from, rows, into, values); });
}

}  // namespace ks::io::h5
