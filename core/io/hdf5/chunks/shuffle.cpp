#include "core/io/hdf5/chunks/shuffle.h"

namespace ks::io::h5 {
namespace {

/// Calls copy(byte of the values, byte of the rows of bytes) for each byte of `count` values of `size` bytes.
template <class Copy>
void each_byte(std::size_t count, std::size_t size, const Copy& copy) {
    for (std::size_t i = 0; i < count; ++i)
        for (std::size_t byte = 0; byte < size; ++byte) copy(i * size + byte, byte * count + i);
}

/// For sizes that are common the compiler knows the number.
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

/// Mirrors a square of 8 x 8 bits at its diagonal: byte i, bit k to byte k, bit i.
std::uint64_t transposed(std::uint64_t x) {
    std::uint64_t t = (x ^ (x >> 7)) & 0x00aa00aa00aa00aaULL;
    x ^= t ^ (t << 7);
    t = (x ^ (x >> 14)) & 0x0000cccc0000ccccULL;
    x ^= t ^ (t << 14);
    t = (x ^ (x >> 28)) & 0x00000000f0f0f0f0ULL;
    return x ^ t ^ (t << 28);
}

/// A square of bits: 8 bytes that are `step` bytes from each other, and where they go.
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

/// Calls use(side among values, side among rows of bits) for each square of a block.
template <class Use>
void each_square(std::size_t count, std::size_t size, const Use& use) {
    const std::size_t row = count / 8;
    for (std::size_t byte = 0; byte < size; ++byte)
        for (std::size_t group = 0; group < row; ++group)
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
    each_square(count, size,
                [&](const Side& values, const Side& rows) { put_square(from, values, into, rows); });
}

void unshuffle_bits(const std::byte* from, std::byte* into, std::size_t count, std::size_t size) {
    each_square(count, size,
                [&](const Side& values, const Side& rows) { put_square(from, rows, into, values); });
}

}  // namespace ks::io::h5
