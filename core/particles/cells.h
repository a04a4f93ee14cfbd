#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/data/point_set.h"

namespace ks::particles {

/// Row numbers of points along a space-filling curve (Hilbert's, 1024 steps along each side of the bounding
/// box): neighbours in this order are close in space. Points in the same step keep their order.
std::vector<std::uint32_t> spatial_order(const PointSet& points);

/// Points without weights: rows order[0], order[1], ...
PointSet reordered(const PointSet& points, const std::vector<std::uint32_t>& order);

/// Sources in cells of `size` neighbours each; the last cell holds the remainder.
struct Cells {
    std::vector<float> xyzw;  ///< x, y, z relative to the centre of the source's cell, and the weight
    /// x, y, z of the centre of each cell, and the largest distance of the cell's sources from its centre. If
    /// this distance would exceed the largest allowed radius, because the few sources of a cell are far
    /// apart, the centre of the cell is 0.
    std::vector<float> cells;
};
/// @param xyzw x, y, z, weight of each source in turn
/// @param order the result of spatial_order() for these sources
/// @param widest largest radius of a cell: in a wider one, differences from the centre would lose digits
/// Coordinates are subtracted in float, so a target at the same place gets the same difference.
Cells in_cells(const std::vector<float>& xyzw, const std::vector<std::uint32_t>& order, std::size_t size,
               float widest);

}  // namespace ks::particles
