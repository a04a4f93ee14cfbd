#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

/// The transformations of the filters shuffle and bitshuffle, which precede a compression: they group
/// corresponding bytes or bits.
namespace ks::io::h5 {

/// Groups bytes by their position in the value: all first bytes, then all second ones. A remainder smaller
/// than a value is appended unchanged. `into` has as many bytes as `from`.
/// @param size bytes per value
void shuffle_bytes(std::span<const std::byte> from, std::byte* into, std::size_t size);
void unshuffle_bytes(std::span<const std::byte> from, std::byte* into, std::size_t size);

/// Groups the bits of `count` values (a multiple of 8) by their position, lowest bit first: row 8 * byte +
/// bit has count / 8 bytes, with the first value in the lowest bit.
/// @param size bytes per value
void shuffle_bits(const std::byte* from, std::byte* into, std::size_t count, std::size_t size);
void unshuffle_bits(const std::byte* from, std::byte* into, std::size_t count, std::size_t size);

}  // namespace ks::io::h5
