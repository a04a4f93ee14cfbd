#pragma once

#include <cstddef>
#include <cstdint>

namespace ks::clusters {

/// Where the published kernel stores how often a pixel was found: two bits of a word shared by 16 pixels, 0
/// empty, 1 found, 3 found again.
struct StatusWord {
    std::size_t index;  ///< of the word in the module's array
    unsigned shift;     ///< of the pixel's lower bit

    /// @param extent_x pixels per column of the module, along x
    StatusWord(std::uint32_t x, std::uint32_t y, std::uint32_t extent_x) {
        const std::size_t pixel = std::size_t{y} * extent_x + x;
        index = pixel / 16;
        shift = static_cast<unsigned>(pixel % 16 * 2);
    }
    /// The two bits of a pixel that was found the given number of times.
    static unsigned value(std::size_t found) { return found == 0 ? 0 : found == 1 ? 1 : 3; }
};

}  // namespace ks::clusters
