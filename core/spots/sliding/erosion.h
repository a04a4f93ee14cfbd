#pragma once

#include <cstddef>

#include "core/spots/signal/bit_image.h"
#include "core/spots/sliding/sliding_image.h"
#include "core/spots/thresholds.h"

namespace ks::spots {

/// The maximum Chebyshev distance within which all must be set.
inline std::size_t erosion_reach(const Thresholds& t) {
    return static_cast<std::size_t>(t.kernel_x < t.kernel_y ? t.kernel_x : t.kernel_y) - 1;
}

/// For each bit, whether the 2 reach + 1 bits around it are set, for a word between its neighbours.
inline std::uint64_t all_around(std::uint64_t before, std::uint64_t bits, std::uint64_t after,
                                std::size_t reach) {
    std::uint64_t all = bits;
    for (std::size_t d = 1; d <= reach; ++d) {
        all &= bits << d | before >> (BitImage::word - d);
        all &= bits >> d | after << (BitImage::word - d);
    }
    return all;
}

/// The bits of a word of a row that count as dispersed whatever its windows are: invalid pixels, except by
/// the older rule, and what is outside the image.
/// @param valid of the 64 pixels from column x on; 0 outside the image
inline std::uint64_t set_anyway(std::uint64_t valid, std::size_t x, std::size_t width, ExtendedRule rule) {
    if (rule == ExtendedRule::newer) return ~valid;
    return x + BitImage::word <= width ? 0
           : x >= width                ? ~std::uint64_t{0}
                                       : ~std::uint64_t{0} << (width - x);
}

/// Sets a bit in the band's rows of `out` where all bits of `in` within a Chebyshev distance of `reach` (<
/// 64) are set. Bits outside the image count as set; bits after the end of a row must be set.
void erode(const BitImage& in, std::size_t reach, std::size_t height, Band band, BitImage& out);

}  // namespace ks::spots
