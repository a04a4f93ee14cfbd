#pragma once

#include <vector>

#include "core/base/array.h"
#include "core/base/progress.h"
#include "core/spots/signal/reference.h"
#include "core/spots/thresholds.h"

namespace ks::spots {

/// Images for tuning thresholds, as in the viewer of DIALS.
enum class Intermediate {
    image,             ///< the counts themselves
    mean,              ///< x / m
    variance,          ///< (y - x^2 / m) / (m - 1)
    dispersion_index,  ///< variance / mean
    sigma_b,           ///< 1 where the window is dispersed
    sigma_s,           ///< 1 where the pixel is strong
    global,            ///< 1 where p > global_threshold
    threshold          ///< 1 where the pixel is signal, by the chosen algorithm
};
struct IntermediateInfo {
    Intermediate kind;
    const char* id;     ///< "dispersion_index"
    const char* title;  ///< "Index of dispersion"
};
const std::vector<IntermediateInfo>& intermediates();

/// The image [y][x]: f32, or u8 for tests. NaN (0 for tests) where a pixel is invalid or the window has fewer
/// than min_local valid pixels (image and global do not use a window). The index is also NaN where the mean
/// is 0. With dispersion_extended counts from sums_limit on are invalid; sigma_s is that of DispersionTest
/// for both algorithms. Sliding windows on all cores: 16 Mpx take well under a second.
Array intermediate_image(const ImageView& image, const Thresholds& thresholds, Intermediate kind,
                         Progress& progress);

}  // namespace ks::spots
