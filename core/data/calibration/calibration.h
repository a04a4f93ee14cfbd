#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/base/array.h"
#include "core/data/geometry.h"
#include "core/data/regions/region_shapes.h"

namespace ks {

/// A circle and how well it goes through its points.
struct CircleFit {
    double x = 0, y = 0, radius = 0;  ///< pixel
    double rms = 0;                   ///< pixel, of the distances to the circle
    std::size_t points = 0;           ///< through three points goes a circle always
};
/// Least squares of the distances (Gauss-Newton from the algebraic circle). Throws ks::Error(input) for fewer
/// than 3 points, or points on one line.
CircleFit fit_circle(std::span<const ImagePoint> points);

/// Rings of a substance whose q are known.
struct Calibrant {
    std::string name;
    std::vector<double> q;  ///< 1/angstrom, ascending
    /// "silver behenate": q_n = 2 pi n / 58.380 angstrom = n 0.10763 1/angstrom, n = 1 .. 12. Throws
    /// ks::Error(input) for another name, listing those that are known.
    static Calibrant named(const std::string& name);
    static std::vector<std::string> names();
};

/// One ring after the refinement.
struct RingFit {
    std::size_t ring = 0;    ///< index into Calibrant::q
    double q = 0;            ///< as known, 1/angstrom
    double measured = 0;     ///< mean q of the ring's maxima with the refined geometry
    std::size_t points = 0;  ///< maxima along it that were used
    double rms = 0;          ///< of the maxima's q around `measured`, 1/angstrom
    double residual() const { return measured / q - 1; }
};
struct Calibration {
    Geometry geometry;  ///< beam centre and distance refined
    std::vector<RingFit> rings;
    double rms_pixels = 0;
};

/// Refines beam centre and distance on rings [first, last] (indices into calibrant.q) of one frame, rank 2
/// [y][x]: finds maxima along rays in sectors around each ring's expected radius (centroid over the
/// background, robust against hot pixels and gaps), fits, looks again with the better geometry until it
/// stands. The start may be off by some percent of the radius. Pixels that `ignore` marks (null: none) and
/// invalid ones are left out. Throws ks::Error(input) where the geometry is not complete, a ring has too few
/// maxima inside of the image (naming the rings that were found), or the fit does not settle.
Calibration refine_geometry(const Array& frame, const std::vector<std::uint8_t>* ignore,
                            const Geometry& start, const Calibrant& calibrant, std::size_t first,
                            std::size_t last);

/// How much sharper the rings around `geometry`'s beam are than around one with x and y exchanged: the ratio
/// of the variances of I(r) explained by the radius, > 1 where the geometry as given is better; 1 where
/// neither explains more than chance would. Rank 2, [y][x].
double sharper_than_swapped(const Array& frame, const std::vector<std::uint8_t>* ignore,
                            const Geometry& geometry);

}  // namespace ks
