#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/data/point_set.h"

namespace ks::particles {

/// Row numbers of points in the order of a curve through space (Hilbert's, 1024 steps along each side of
/// their box): neighbours in it are near each other. Points of the same step keep their order.
std::vector<std::uint32_t> spatial_order(const PointSet& points);

/// Points without weights, those of row order[0], order[1], ..
PointSet reordered(const PointSet& points, const std::vector<std::uint32_t>& order);

/// Sources in cells of `size` neighbours each, the last of what is left.
struct Cells {
    std::vector<float> xyzw;  ///< x, y, z relative to the middle of the source's cell, and its weight
    /// x, y, z of the middle of a cell, and the largest distance of its sources from it. Of a cell that would
    /// be wider than the largest that is allowed, whose few sources may lie far apart, the middle is 0.
    std::vector<float> cells;
};
/// @param xyzw x, y, z, weight of each source one after another
/// @param order spatial_order() of them
/// @param widest radius of a cell: differences from the middle of a wider one would lose digits
/// Coordinates are subtracted in float: a target at the same place has the same difference.
Cells in_cells(const std::vector<float>& xyzw, const std::vector<std::uint32_t>& order, std::size_t size,
               float widest);

}  // namespace ks::particles
