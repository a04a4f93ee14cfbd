#pragma once

#include <cstdint>
#include <vector>

#include "core/base/progress.h"
#include "core/spots/signal/reference.h"

namespace ks::spots {

/// reference_signal() of the dispersion algorithm by integral images (summed-area tables): number, sum and
/// sum of squares of the valid pixels in the rectangle from the first pixel to each pixel; four such values
/// give the sums of any window. The sums have 64 bits, so pixels must be u8, u16 or i16; throws
/// ks::Error(run) for others.
std::vector<std::uint8_t> signal_by_integral_images(const ImageView& image, const Thresholds& thresholds,
                                                    Progress& progress);

}  // namespace ks::spots
