#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <vector>

namespace ks::io {

/// A picture of 8 bits a channel.
struct PngPicture {
    std::size_t width = 0, height = 0;
    std::size_t channels = 1;          ///< 1 grey, 3 red, green, blue, 4 with alpha
    std::vector<std::uint8_t> pixels;  ///< [y][x][channel]
};

/// By its first bytes.
bool is_png(const std::filesystem::path& file);

/// Reads the bytes as they are, without regard to gamma or profiles. Palettes are read as the colours that
/// they stand for, grey of fewer bits as 8, and grey with alpha as four channels. Throws ks::Error(input): no
/// such file, not PNG, damaged or ending early, 16 bits a channel, more pixels than the host has memory for.
PngPicture read_png(const std::filesystem::path& file);

}  // namespace ks::io
