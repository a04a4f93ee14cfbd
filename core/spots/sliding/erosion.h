#pragma once

#include <cstddef>

#include "core/spots/signal/bit_image.h"
#include "core/spots/sliding/count_rows.h"
#include "core/spots/thresholds.h"

namespace ks::spots {

/// The largest Chebyshev distance at which all must be set.
inline std::size_t erosion_reach(const Thresholds& t) {
    return static_cast<std::size_t>(t.kernel_x < t.kernel_y ? t.kernel_x : t.kernel_y) - 1;
}

/// Whether the 2 reach + 1 bits around each bit are set, in a word between its neighbours.
inline std::uint64_t all_around(std::uint64_t before, std::uint64_t bits, std::uint64_t after,
                                std::size_t reach) {
    std::uint64_t all = bits;
    for (std::size_t d = 1; d <= reach; ++d) {
        all &= bits << d | before >> (BitImage::word - d);
        all &= bits >> d | after << (BitImage::word - d);
    }
    return all;
}

/// Sets a bit of the band's rows of `out` where all bits of `in` at a Chebyshev distance of at most `reach`
/// (< 64) are set. Outside of the image all are; the bits behind the end of a row must be.
void erode(const BitImage& in, std::size_t reach, std::size_t height, Band band, BitImage& out);

}  // namespace ks::spots
