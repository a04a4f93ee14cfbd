#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

namespace ks::io {

/// How the sample turned while the frames were recorded. Axes are those of imgCIF and DIALS for a detector
/// that is perpendicular to the beam: x along the rows of the image, y against its columns (up), z from the
/// sample to the source.
struct Rotation {
    using Vector = std::array<double, 3>;
    using Matrix = std::array<double, 9>;  ///< by rows
    static constexpr Matrix identity{1, 0, 0, 0, 1, 0, 0, 0, 1};

    double start = 0, step = 0;  ///< degrees: at the beginning of frame 0, and per frame; step is not 0
    /// Seconds of exposure per frame, if stated.
    std::optional<double> exposure = {};
    Vector axis{1, 0, 0};       ///< of length 1, with all angles at 0
    Matrix fixed = identity;    ///< of the axes between the turning one and the sample
    Matrix setting = identity;  ///< of the axes that carry the turning one
};

/// From the header of CBF files (Start_angle, Angle_increment), or from the axes of the sample in NeXus
/// files. Nothing if the files state none, or an angle that does not change.
/// @param frames "FILE", "FILE::/path", or a series
/// @param faults statements that cannot be used, one sentence each
std::optional<Rotation> read_rotation(const std::string& frames, std::vector<std::string>& faults);

}  // namespace ks::io
