#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>

namespace ks::spots {

/// How signal pixels are grouped into spots, and which spots are kept.
struct Grouping {
    bool stills =
        false;  ///< frames are independent: 4-connected in x and y; else 6-connected in x, y and frame
    std::size_t min_size = 3;  ///< signal pixels, inclusive
    std::size_t max_size = 1000;
    double max_separation = 2;  ///< pixels (and frames) between the peak and the centroid, inclusive
    std::optional<double> d_min = {}, d_max = {};  ///< angstrom. Need a complete geometry.
    /// Spots within +- this distance in 1/d^2 (1/angstrom^2) of a hexagonal ice ring are dropped.
    std::optional<double> ice_width = {};
    bool operator==(const Grouping&) const = default;
};

/// Why a spot is not kept: the first reason that applies.
enum class Dropped : std::uint8_t { kept = 0, too_small, too_large, far_peak, resolution, ice };
inline constexpr std::array all_reasons{Dropped::kept,     Dropped::too_small,  Dropped::too_large,
                                        Dropped::far_peak, Dropped::resolution, Dropped::ice};
const char* name_of(Dropped why);  ///< "kept", "too small", ...

/// A group of connected signal pixels. Boxes are half open. Pixel (i, j) of frame k has its centre at x = j +
/// 0.5, y = i + 0.5, z = k + 0.5, with frames counted from the first of the problem.
struct Spot {
    std::uint64_t n_signal = 0;
    std::uint32_t x0 = 0, x1 = 0, y0 = 0, y1 = 0, z0 = 0, z1 = 0;
    double x = 0, y = 0, z = 0;  ///< centroid weighted by counts; centre of the box if all are 0
    /// Variance of the centroid as in DIALS: sum p (r - centroid)^2 / ((sum p)^2 - sum p^2), which is the
    /// unbiased variance of the counts around it divided by their sum, plus 1/12 for the pixel size. -1 if a
    /// single pixel has all counts.
    double var_x = 0, var_y = 0, var_z = 0;
    double sum = 0, peak = 0;                          ///< counts of the signal pixels
    std::uint32_t peak_x = 0, peak_y = 0, peak_z = 0;  ///< pixel of the peak; ties: the lowest frame, y, x
    /// Mean of the surrounding valid pixels that are not signal. In each frame, these are taken from the
    /// boxes of the spot's 4-connected pieces, extended by 2 pixels on each side; pixels in overlapping boxes
    /// count once per box. NaN: there are none.
    double background = std::numeric_limits<double>::quiet_NaN();
    /// Number of pixels at or above the saturation in the area of the background. These pixels are invalid
    /// and in no sum.
    std::uint32_t saturated = 0;
    double q = std::numeric_limits<double>::quiet_NaN();  ///< 1/angstrom; NaN without a geometry
    double d = std::numeric_limits<double>::quiet_NaN();  ///< angstrom
    Dropped dropped = Dropped::kept;
};

}  // namespace ks::spots
