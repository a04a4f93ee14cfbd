#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "core/base/element_type.h"
#include "core/base/progress.h"
#include "core/spots/thresholds.h"

namespace ks::spots {

/// One image [y][x] with the validity of its pixels. A pixel is valid unless it is ignored, not a count
/// (negative integer, NaN, infinite), or at least `limit`.
struct ImageView {
    std::span<const std::byte> pixels;
    ElementType type;
    std::size_t height, width;
    std::span<const std::uint8_t> ignore;  ///< [y][x], anything but 0: ignore
    double limit = std::numeric_limits<double>::infinity();
    double saturation = std::numeric_limits<double>::infinity();  ///< counts from here on are saturated
};

/// Signal pixels [y][x], 1 or 0, directly from the definition: every window is summed separately. This
/// defines the result of all variants.
///
/// dispersion: valid, m >= min_local, p > global_threshold, dispersed and strong (DispersionTest). m and the
/// sums are over the valid pixels below sums_limit; the tested pixel itself may be above that limit.
///
/// dispersion_extended, with counts from sums_limit on invalid: (1) pixels with m >= min_local that are
/// dispersed, and all invalid ones (not those by ExtendedRule::older); (2) kept: those for which every pixel
/// at a Chebyshev distance < min(kernel_x, kernel_y) within the image is one of (1); (3) mean of the valid
/// pixels that are not kept in the window of half-widths kernel_x + 2, kernel_y + 2, or 0 for fewer than 2
/// pixels; (4) signal: kept, valid, p > global_threshold, the sum in (3) not below 0, and p >= mean + sigma_s
/// sqrt(gain mean).
std::vector<std::uint8_t> reference_signal(const ImageView& image, const Thresholds& thresholds,
                                           Progress& progress);

/// The same for selected pixels only (ascending indices): 1 or 0 for each. For checks of a sample.
std::vector<std::uint8_t> reference_signal_at(const ImageView& image, const Thresholds& thresholds,
                                              std::span<const std::uint32_t> pixels);

/// reference_signal() of the dispersion algorithm by integral images (summed-area tables). For each pixel,
/// these hold the number, sum and sum of squares of the valid pixels in the rectangle from the first pixel to
/// this one; four such values give the sums of any window. The sums have 64 bits, so pixels must be u8, u16
/// or i16. Throws ks::Error(run) for other types.
std::vector<std::uint8_t> signal_by_integral_images(const ImageView& image, const Thresholds& thresholds,
                                                    Progress& progress);

}  // namespace ks::spots
