#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <vector>

namespace ks::io {

/// A picture with 8 bits per channel.
struct PngPicture {
    std::size_t width = 0, height = 0;
    std::size_t channels = 1;          ///< 1 grey, 3 red, green, blue, 4 with alpha
    std::vector<std::uint8_t> pixels;  ///< [y][x][channel]
};

/// Checks its first bytes.
bool is_png(const std::filesystem::path& file);

/// Reads the bytes as they are, ignoring gamma and profiles. Palettes are expanded to their colours, grey
/// with fewer bits to 8, and grey with alpha to four channels. Throws ks::Error(input): no such file, not
/// PNG, damaged or truncated, 16 bits per channel, or more pixels than the host has memory for.
PngPicture read_png(const std::filesystem::path& file);

}  // namespace ks::io
