#pragma once

#include <cstdint>
#include <vector>

#include "core/base/progress.h"
#include "core/spots/signal/reference.h"

namespace ks::spots {

/// reference_signal() of the dispersion algorithm by integral images (summed-area tables): the count of the
/// valid pixels, their sum and their sum of squares in the rectangle from the first pixel to each, from which
/// four values give those of any window. The sums have 64 bits, so pixels are u8, u16 or i16; others throw
/// ks::Error(run).
std::vector<std::uint8_t> signal_by_integral_images(const ImageView& image, const Thresholds& thresholds,
                                                    Progress& progress);

}  // namespace ks::spots
