#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>

namespace ks {

/// Bytes of a block that holds `bytes`: `steps` sizes per factor of 2, so that needs of nearly the same size
/// share blocks. Whole pages.
inline std::size_t block_size(std::size_t bytes, std::size_t steps) {
    constexpr std::size_t page = 4096;
    const std::size_t step = std::max(page, std::bit_floor(bytes) / steps);
    return (bytes + step - 1) / step * step;
}

}  // namespace ks
