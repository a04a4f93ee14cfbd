#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>

namespace ks::spots {

/// How signal pixels become spots, and which are kept.
struct Grouping {
    bool stills =
        false;  ///< every frame by itself: 4-connected in x and y; else 6-connected in x, y and frame
    std::size_t min_size = 3;  ///< signal pixels, inclusive
    std::size_t max_size = 1000;
    double max_separation = 2;  ///< pixels (and frames) between the peak and the centroid, inclusive
    std::optional<double> d_min = {}, d_max = {};  ///< angstrom. Need a complete geometry.
    /// Spots within +- this in 1/d^2 (1/angstrom^2) of a ring of hexagonal ice go.
    std::optional<double> ice_width = {};
    bool operator==(const Grouping&) const = default;
};

/// Why a spot is not kept; the first that applies.
enum class Dropped : std::uint8_t { kept = 0, too_small, too_large, far_peak, resolution, ice };
inline constexpr std::array all_reasons{Dropped::kept,     Dropped::too_small,  Dropped::too_large,
                                        Dropped::far_peak, Dropped::resolution, Dropped::ice};
const char* name_of(Dropped why);  ///< "kept", "too small", ...

/// A group of connected signal pixels. Boxes are half open. Pixel (i, j) of frame k has its centre at x = j +
/// 0.5, y = i + 0.5, z = k + 0.5, with frames counted from the first of the problem.
struct Spot {
    std::uint64_t n_signal = 0;
    std::uint32_t x0 = 0, x1 = 0, y0 = 0, y1 = 0, z0 = 0, z1 = 0;
    double x = 0, y = 0, z = 0;  ///< centroid weighted with counts; the box's centre where all are 0
    /// Of the centroid, as DIALS takes it: sum p (r - centroid)^2 / ((sum p)^2 - sum p^2), which is the
    /// unbiased variance of the counts around it divided by their sum, and 1/12 for the pixel's size. -1
    /// where one pixel holds all counts.
    double var_x = 0, var_y = 0, var_z = 0;
    double sum = 0, peak = 0;                          ///< counts of the signal pixels
    std::uint32_t peak_x = 0, peak_y = 0, peak_z = 0;  ///< pixel of the peak; ties: the lowest frame, y, x
    /// Mean of the valid pixels around that are no signal: those in the boxes of its 4-connected pieces in
    /// each frame, 2 pixels wider on each side (where such boxes overlap, once for each). NaN: none.
    double background = std::numeric_limits<double>::quiet_NaN();
    /// Pixels at or above the saturation, which are invalid and in no sum, where the background is taken
    /// from.
    std::uint32_t saturated = 0;
    double q = std::numeric_limits<double>::quiet_NaN();  ///< 1/angstrom; NaN without a geometry
    double d = std::numeric_limits<double>::quiet_NaN();  ///< angstrom
    Dropped dropped = Dropped::kept;
};

}  // namespace ks::spots
