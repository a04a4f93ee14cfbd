#pragma once

#include <QImage>
#include <optional>
#include <utility>
#include <vector>

#include "ui/base/colour_map.h"
#include "ui/image/view/colour_bar.h"
#include "ui/particles/field.h"

namespace ks::ui::particles {

/// How values map to colours: one map and one scale for all three planes.
struct MapColours {
    ColourMap map;
    ColourScale scale;
    bool angles = false;  ///< from -pi to pi, on a cyclic map
    BeyondLimits beyond = {};

    QRgb at(double value) const { return map.at(scale.position(value)); }
    /// Of the bar; angles are labelled as fractions of pi.
    ColourTicks ticks(int maximum) const;
    /// j points up. @param values [i * side + j]
    QImage image(const std::vector<float>& values, std::size_t side) const;
};

/// Limits that show the structure of all planes: minimum and maximum or, if a few values are far out (1/r
/// next to a source), the 0.5 % and 99.5 % quantiles. (0, 1) if no value is finite.
std::pair<double, double> automaticLimits(const PlaneValues& values);

/// For a logarithmic scale: from the 2 % quantile of the positive values, but at most eight decades, to the
/// maximum. (0.1, 1) if none is positive.
std::pair<double, double> automaticLogLimits(const PlaneValues& values);

/// Angles have a separate scale. Values of both signs on a linear scale have a map with white at 0
/// and symmetric limits.
/// @param mapName map for values of one sign
/// @param limits fixed limits, if locked
MapColours coloursFor(const PlaneValues& values, Part part, ScaleKind kind, const QString& mapName,
                      const std::optional<std::pair<double, double>>& limits);

/// Which isolines are drawn.
struct IsolineChoice {
    bool visible = false;
    bool byStep = false;
    int count = 8;      ///< evenly spaced on the colour scale
    double step = 0.1;  ///< levels are multiples of it
    bool operator==(const IsolineChoice&) const = default;
};
constexpr std::size_t maxLevels = 100;
std::vector<double> levelsOf(const MapColours& colours, const IsolineChoice& choice);

}  // namespace ks::ui::particles
