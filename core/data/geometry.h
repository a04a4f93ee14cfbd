#pragma once

#include <optional>

namespace ks {

/// Pixel sizes are in micrometres, the distance is in millimetres.
inline constexpr double micrometre_per_millimetre = 1000.0;

/// Half the axes of an ellipse around the beam, pixels along columns and rows.
struct RingAxes {
    double x = 0, y = 0;
    /// Of the ring at `radius` mean pixel sizes from the beam.
    /// @param aspect see Geometry::aspect()
    static RingAxes of(double radius, double aspect) {
        return {radius * (1 + aspect) / 2, radius * (1 + aspect) / (2 * aspect)};
    }
    bool operator==(const RingAxes&) const = default;
};

/// The position of the detector: flat and perpendicular to the beam. Pixel (row i, column j) has its
/// centre at x = j + 0.5, y = i + 0.5; the beam centre uses the same coordinates. A beam centre outside
/// the image is normal.
struct Geometry {
    double wavelength = 0;    ///< angstrom; 0 = unknown
    double distance = 0;      ///< sample to detector, millimetre; 0 = unknown
    double beam_x = 0;        ///< pixel, along columns
    double beam_y = 0;        ///< pixel, along rows
    double pixel_size_x = 0;  ///< micrometre; 0 = unknown
    double pixel_size_y = 0;  ///< micrometre; 0 = unknown

    /// True if q can be computed: wavelength, distance and pixel sizes are positive.
    bool complete() const;
    /// The same with x and y of the beam exchanged, as some beamlines write them.
    Geometry swapped() const;

    /// Mean of both pixel sizes in millimetres: the unit of q_of_radius and radius_of_q.
    double mean_pixel_size() const;
    /// Height of a pixel in widths of it; 1 if either is unknown.
    double aspect() const;
    /// Distance from the beam centre in pixels.
    double radius(double x, double y) const;
    /// q = 4 pi / wavelength sin(theta), tan(2 theta) = r / distance, in 1/angstrom. Needs complete().
    double q(double x, double y) const;
    /// q at the distance of `radius` mean pixel sizes from the beam: with pixels that are not square, a
    /// circle in pixels has no single q. Needs complete().
    double q_of_radius(double radius) const;
    /// Radius in mean pixel sizes of the ring of constant q (1/angstrom); nothing beyond 2 theta = 90
    /// degrees. For drawing, see ring_of_q().
    std::optional<double> radius_of_q(double q) const;
    /// The ring of constant q (1/angstrom) in the image, an ellipse if pixels are not square; nothing beyond
    /// 2 theta = 90 degrees. Needs complete().
    std::optional<RingAxes> ring_of_q(double q) const;
    /// Azimuth on the detector in degrees, 0 along +x, growing towards +y (down on the screen), in (-180,
    /// 180]. Where a pixel size is unknown, pixels are taken as square.
    double phi(double x, double y) const;
    /// d = 2 pi / q, angstrom; infinite at the beam centre. Needs complete().
    double d(double x, double y) const;

    bool operator==(const Geometry&) const = default;
};

}  // namespace ks
