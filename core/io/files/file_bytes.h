#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string>

namespace ks::io {

/// Fills `into` with the bytes of a file from `at` on. Throws ks::Error(input) where the file cannot be
/// opened any more or ends before.
/// @param shown the name in messages
void read_bytes_at(const std::filesystem::path& file, std::uint64_t at, std::span<std::byte> into,
                   const std::string& shown);

/// Up to `count` bytes from `at` on; fewer where the file ends, none where it is not regular or cannot be
/// read. Never waits for a pipe.
std::string peek_bytes(const std::filesystem::path& file, std::uint64_t at, std::size_t count);

}  // namespace ks::io
