#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace ks {

/// One byte per pixel, [y][x]: 0 = use, anything else = ignore.
struct PixelMask {
    std::size_t height = 0;
    std::size_t width = 0;
    std::vector<std::uint8_t> ignore;

    bool empty() const { return ignore.empty(); }
};

}  // namespace ks
