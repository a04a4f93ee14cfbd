#pragma once

#include <memory>
#include <string>
#include <vector>

#include "core/base/array.h"
#include "core/base/progress.h"
#include "core/spots/signal/reference.h"
#include "core/spots/thresholds.h"

namespace ks::spots {

/// What people look at to tune thresholds, as the viewer of DIALS shows it.
enum class Intermediate {
    image,             ///< the counts themselves
    mean,              ///< x / m
    variance,          ///< (y - x^2 / m) / (m - 1)
    dispersion_index,  ///< variance / mean
    sigma_b,           ///< 1 where the window is dispersed
    sigma_s,           ///< 1 where the pixel is strong
    global,            ///< 1 where p > global_threshold
    threshold          ///< 1 where the pixel is signal (as the algorithm says)
};
struct IntermediateInfo {
    Intermediate kind;
    const char* id;     ///< "dispersion_index"
    const char* title;  ///< "Index of dispersion"
};
const std::vector<IntermediateInfo>& intermediates();

/// The image [y][x]: f32, and u8 for the tests. NaN (0 in tests) where a pixel is invalid or the window has
/// fewer than min_local valid pixels (image and global look at no window). Also NaN: the index where the mean
/// is 0. With dispersion_extended counts from sums_limit on are invalid; sigma_s is DispersionTest's for
/// both algorithms. Windows are summed by sliding, on all cores: 16 Mpx take well under a
/// second.
Array intermediate_image(const ImageView& image, const Thresholds& thresholds, Intermediate kind,
                         Progress& progress);

}  // namespace ks::spots
