#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

#include "core/data/calibration/calibration.h"
#include "core/data/profiles/radial_profile.h"
#include "core/data/valid_pixels.h"

namespace ks {
namespace {

/// The same number for any beam, so that chance explains the same in both cases.
constexpr std::size_t rings = 200;

/// The variance between rings around the beam.
double explained(const Array& values, const Geometry& geometry) {
    const RadialProfile profile =
        RadialBinning(values.shape()[0], values.shape()[1], geometry, rings).profile(values);
    double pixels = 0, sum = 0, squares = 0;
    for (std::size_t ring = 0; ring < rings; ++ring) {
        if (profile.pixels[ring] == 0) continue;
        const auto n = static_cast<double>(profile.pixels[ring]);
        pixels += n;
        sum += n * profile.mean[ring];
    }
    for (std::size_t ring = 0; ring < rings; ++ring)
        if (profile.pixels[ring] > 0)
            squares +=
                static_cast<double>(profile.pixels[ring]) * std::pow(profile.mean[ring] - sum / pixels, 2);
    return squares;
}

/// What the same number of rings explains by chance for values unrelated to them, on average: their
/// variance per ring.
double explained_by_chance(const std::vector<float>& values) {
    double pixels = 0, sum = 0, squares = 0;
    for (const float value : values) {
        if (!std::isfinite(value)) continue;
        pixels += 1;
        sum += value;
        squares += double{value} * value;
    }
    return pixels > 1 ? (squares - sum * sum / pixels) / (pixels - 1) * (rings - 1) : 0;
}

}  // namespace

double sharper_than_swapped(const Array& frame, const std::vector<std::uint8_t>* ignore,
                            const Geometry& geometry) {
    // Square roots of counts scatter equally at all intensities, so that a few bright pixels do not decide.
    std::vector<float> roots = valid_counts(frame, ignore);
    for (float& value : roots) value = std::copysign(std::sqrt(std::abs(value)), value);
    const Array values = Array::of<float>(frame.shape(), roots);
    Geometry in_pixels = geometry;  // without a distance, rings have equal widths in pixels
    in_pixels.distance = 0;
    const double here = explained(values, in_pixels), there = explained(values, in_pixels.swapped());
    // Twice the value expected by chance is ten standard deviations above it.
    if (here == there || std::max(here, there) < 2 * explained_by_chance(roots)) return 1;
    return here / there;
}

}  // namespace ks
