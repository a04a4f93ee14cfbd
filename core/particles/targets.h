#pragma once

#include <array>
#include <cstddef>
#include <memory>
#include <utility>
#include <variant>

#include "core/data/point_set.h"

namespace ks::particles {

using Place = std::array<double, 3>;

/// Targets on three planes parallel to the axes: xy, xz and yz, each [i][j] with i along the first named
/// coordinate. side points along each direction from low to high, both included.
struct PlaneGrid {
    std::size_t side = 400;
    double low = 0, high = 1;
    double z_of_xy = 0, y_of_xz = 0, x_of_yz = 0;

    /// Coordinate i along a direction; `low` if side is 1.
    double at(std::size_t i) const;
    bool operator==(const PlaneGrid&) const = default;
};

/// Targets that fill a cube, [i][j][k] along x, y and z. side points along each direction from
/// low to high, both included.
struct CubeGrid {
    std::size_t side = 64;
    double low = 0, high = 1;

    /// Coordinate i along a direction; `low` if side is 1.
    double at(std::size_t i) const;
    bool operator==(const CubeGrid&) const = default;
};

/// Where to sum; points are not null.
using Targets = std::variant<PlaneGrid, CubeGrid, std::shared_ptr<const PointSet>>;

/// For planes 3 side^2: xy, then xz, then yz, each in row-major order; for a cube side^3.
std::size_t count(const Targets& targets);
Place place(const Targets& targets, std::size_t index);
/// Minimum and maximum coordinate along an axis.
std::pair<double, double> bounds(const Targets& targets, std::size_t axis);
/// Throws ks::Error(input) for no targets, more than 2^31 - 1, and low >= high.
void require_some(const Targets& targets);

}  // namespace ks::particles
