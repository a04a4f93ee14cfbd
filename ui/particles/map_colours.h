#pragma once

#include <QImage>
#include <optional>
#include <utility>
#include <vector>

#include "ui/base/colour_map.h"
#include "ui/image/colours/colour_bar.h"
#include "ui/particles/field.h"

namespace ks::ui::particles {

/// How values become colours: one map and one scale for all three planes.
struct MapColours {
    ColourMap map;
    ColourScale scale;
    bool angles = false;  ///< from -pi to pi, on a map without ends

    QRgb at(double value) const { return map.at(scale.position(value)); }
    /// Of the bar; those of angles are fractions of pi.
    ColourTicks ticks(int maximum) const;
    /// j goes upwards. @param values [i * side + j]
    QImage image(const std::vector<float>& values, std::size_t side) const;
};

/// Limits that show the structure of all planes: smallest and largest value, but where few values stick out
/// by far (1/r beside a source) the 0.5 % and 99.5 % quantiles. (0, 1) where no value is finite.
std::pair<double, double> automaticLimits(const PlaneValues& values);

/// For a logarithmic scale: from the 2 % quantile of the positive values, but no more than eight decades, to
/// the largest. (0.1, 1) where none is positive.
std::pair<double, double> automaticLogLimits(const PlaneValues& values);

/// Angles have a scale of their own; values of both signs on a linear scale a map with white at 0 and limits
/// that lie as far from it.
/// @param mapName of values of one sign @param limits that are locked
MapColours coloursFor(const PlaneValues& values, Part part, ScaleKind kind, const QString& mapName,
                      const std::optional<std::pair<double, double>>& limits);

/// Which isolines are drawn.
struct IsolineChoice {
    bool visible = false;
    bool byStep = false;
    int count = 8;      ///< evenly spaced on the colour scale
    double step = 0.1;  ///< multiples of it are levels
    bool operator==(const IsolineChoice&) const = default;
};
constexpr std::size_t maxLevels = 100;
std::vector<double> levelsOf(const MapColours& colours, const IsolineChoice& choice);

}  // namespace ks::ui::particles
