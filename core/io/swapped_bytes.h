#pragma once

#include <algorithm>
#include <cstddef>
#include <span>

namespace ks::io {

/// Reverses the bytes of each value of `size` bytes: from the byte order of a file to the other one.
inline void swap_bytes(std::span<std::byte> values, std::size_t size) {
    for (std::size_t at = 0; at + size <= values.size(); at += size)
        std::ranges::reverse(values.subspan(at, size));
}

}  // namespace ks::io
