#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

/// What the filters shuffle and bitshuffle do before a compression: they put parts of equal place together.
namespace ks::io::h5 {

/// Bytes of equal place lie together: all first bytes of the values, then all second ones. What is less than
/// a value stays at the end as it is. `into` has as many bytes as `from`.
/// @param size bytes of a value
void shuffle_bytes(std::span<const std::byte> from, std::byte* into, std::size_t size);
void unshuffle_bytes(std::span<const std::byte> from, std::byte* into, std::size_t size);

/// Bits of equal place of `count` values (a multiple of 8) lie together, those of the lowest bit first: row
/// 8 * byte + bit has count / 8 bytes, the first value in the lowest bit.
/// @param size bytes of a value
void shuffle_bits(const std::byte* from, std::byte* into, std::size_t count, std::size_t size);
void unshuffle_bits(const std::byte* from, std::byte* into, std::size_t count, std::size_t size);

}  // namespace ks::io::h5
