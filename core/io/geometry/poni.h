#pragma once

#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>

#include "core/data/geometry.h"

namespace ks::io {

/// A geometry file of pyFAI (.poni): the point of normal incidence, i.e. the foot of the perpendicular from
/// the sample to the plane of the detector, and rotations of the detector about the sample.
struct Poni {
    double distance = 0;  ///< from the sample to the plane, m
    double poni1 = 0;     ///< of the foot from the corner of the first pixel, along columns (rows grow), m
    double poni2 = 0;     ///< along rows (columns grow), m
    double rot1 = 0, rot2 = 0;             ///< tilts, rad
    double rot3 = 0;                       ///< about the beam, rad; it moves no ring
    std::optional<double> pixel1, pixel2;  ///< height and width of a pixel, m; absent: not stated
    std::optional<double> wavelength;      ///< m; absent: not stated
    std::string detector;                  ///< "Eiger4M"; may be empty

    /// Tangent of 2 theta, the angle between the beam and the ray to a point of the detector.
    /// @param y,x from the corner of the first pixel, m
    double tangent(double y, double x) const;
    bool operator==(const Poni&) const = default;
};

/// Reads versions 1, 2 and 2.1; of several calibrations in a file, the last one. Throws ks::Error(input) that
/// names the line if a value is missing or no number, if the distance, the wavelength or a pixel size is not
/// above 0, or if the detector is flipped (an orientation other than 3).
Poni read_poni(const std::filesystem::path& file);

/// The geometry of a detector perpendicular to the beam. If the detector is tilted, it is the perpendicular
/// one with the same beam centre and the same distance along the beam.
/// @param known gives what the file does not state: the size of a pixel, the wavelength
/// @param height,width of the frames in pixels
/// @param where names the file
/// Throws ks::Error(input) if the tilt moves a pixel of the frame by more than half a pixel relative to the
/// rings, or if neither the file nor `known` has the size of a pixel.
Geometry geometry_of(const Poni& poni, const Geometry& known, std::size_t height, std::size_t width,
                     const std::string& where);

/// Version 2 of the format, without rotations.
/// @param geometry with a distance and pixel sizes, else throws ks::Error(input)
/// @param height,width of the frames in pixels
std::string poni_text(const Geometry& geometry, std::size_t height, std::size_t width);
/// Writes poni_text(), atomically.
void write_poni(const Geometry& geometry, std::size_t height, std::size_t width,
                const std::filesystem::path& file, bool overwrite);

}  // namespace ks::io
