#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>

namespace ks::io {

/// Fills `into` with the bytes of a file from `at` on. Throws ks::Error(input) if the file can no longer be
/// opened or ends too early.
/// @param shown the name in messages
void read_bytes_at(const std::filesystem::path& file, std::uint64_t at, std::span<std::byte> into,
                   const std::string& shown);

/// Reads from an open file until `into` is full or the file ends. Returns the number of bytes read, or
/// nothing with errno set. Does not move the file position: several threads may read.
std::optional<std::size_t> read_at(int descriptor, std::uint64_t at, std::span<std::byte> into);

/// Up to `count` bytes from `at` on; fewer if the file ends, none if it is not regular or cannot be read.
/// Never blocks on a pipe.
std::string peek_bytes(const std::filesystem::path& file, std::uint64_t at, std::size_t count);

}  // namespace ks::io
