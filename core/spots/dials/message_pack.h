#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "core/io/files/atomic_file.h"

namespace ks::spots {

/// Writes MessagePack (msgpack.org) piece by piece, so that a table need not be in memory twice. The keys of
/// maps may be numbers, which JSON does not have.
class MessagePack {
  public:
    /// @param file outlives it
    explicit MessagePack(io::AtomicFile& file) : file_(file) {}

    /// The values follow: `values`, or as many keys, each with its value.
    void array(std::uint32_t values) { size(values, 0x90, 16, 0xdc); }
    void map(std::uint32_t pairs) { size(pairs, 0x80, 16, 0xde); }
    void text(std::string_view value);
    void number(std::uint64_t value);
    /// That many bytes follow with put().
    void binary(std::uint32_t bytes);
    void put(std::span<const std::byte> bytes);
    /// To be called after the last value.
    void flush();

  private:
    void byte(unsigned value) { pending_ += static_cast<char>(value); }
    /// Most significant byte first.
    void big_endian(std::uint64_t value, unsigned bytes);
    /// In the first byte if it is below `few`, otherwise in 2 or 4 bytes after `mark` or the next one.
    void size(std::uint32_t value, unsigned first, std::uint32_t few, unsigned mark);

    io::AtomicFile& file_;
    std::string pending_;
};

}  // namespace ks::spots
