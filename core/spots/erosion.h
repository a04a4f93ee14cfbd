#pragma once

#include <cstddef>

#include "core/spots/bit_image.h"
#include "core/spots/count_rows.h"

namespace ks::spots {

/// Sets a bit of the band's rows of `out` where all bits of `in` at a Chebyshev distance of at most `reach`
/// (< 64) are set. Outside of the image all are; the bits behind the end of a row must be.
void erode(const BitImage& in, std::size_t reach, std::size_t height, Band band, BitImage& out);

}  // namespace ks::spots
