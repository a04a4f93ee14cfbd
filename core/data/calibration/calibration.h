#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "core/base/array.h"
#include "core/data/geometry.h"
#include "core/data/regions/region_shapes.h"

namespace ks {

/// A circle and how well it fits its points.
struct CircleFit {
    double x = 0, y = 0, radius = 0;  ///< pixel
    double rms = 0;                   ///< of the distances to the circle, pixel
    std::size_t points = 0;           ///< three points always lie on a circle
};
/// Least squares of the distances (Gauss-Newton, starting from the algebraic circle). Throws ks::Error(input)
/// for fewer than 3 points, or for points on one line.
CircleFit fit_circle(std::span<const ImagePoint> points);
/// The same for a ring on a detector whose pixels are `aspect` (> 0) times as high as wide: an ellipse in the
/// image. The centre is in pixels; radius and rms are lengths on the detector, in mean pixel sizes.
CircleFit fit_ring(std::span<const ImagePoint> points, double aspect);

/// The rings of a substance with known q.
struct Calibrant {
    std::string name;
    std::vector<double> q;  ///< 1/angstrom, ascending
    /// "silver behenate": q_n = 2 pi n / 58.380 angstrom = n 0.10763 1/angstrom, n = 1 .. 12. Throws
    /// ks::Error(input) for another name, listing the known ones.
    static Calibrant named(const std::string& name);
    static std::vector<std::string> names();
};

/// One ring after the refinement.
struct RingFit {
    std::size_t ring = 0;    ///< index into Calibrant::q
    double q = 0;            ///< of the calibrant, 1/angstrom
    double measured = 0;     ///< mean q of the ring's maxima in the refined geometry
    std::size_t points = 0;  ///< maxima of it that were used
    double rms = 0;          ///< of the maxima's q around `measured`, 1/angstrom
    double residual() const { return measured / q - 1; }
};
struct Calibration {
    Geometry geometry;  ///< beam centre and distance refined
    std::vector<RingFit> rings;
    double rms_pixels = 0;
};

/// Refines beam centre and distance using rings [first, last] (indices into calibrant.q) of one frame, rank 2
/// [y][x]. It finds maxima along rays in sectors around each ring's expected radius (centroid above the
/// background, robust against hot pixels and gaps), fits, and searches again with the better geometry until
/// it converges. The start may be off by some percent of the radius. Invalid pixels and those that `ignore`
/// marks (null: none) are skipped. Throws ks::Error(input) if the geometry is not complete, if a ring has too
/// few maxima inside the image (naming the rings that were found), or if the fit does not converge.
Calibration refine_geometry(const Array& frame, const std::vector<std::uint8_t>* ignore,
                            const Geometry& start, const Calibrant& calibrant, std::size_t first,
                            std::size_t last);

/// How much sharper the rings around `geometry`'s beam are than those around the beam with x and y exchanged:
/// the ratio of the variances of I(r) explained by the radius. > 1 if the given geometry is better; 1 if
/// neither explains more than chance would. Rank 2, [y][x].
double sharper_than_swapped(const Array& frame, const std::vector<std::uint8_t>* ignore,
                            const Geometry& geometry);

}  // namespace ks
