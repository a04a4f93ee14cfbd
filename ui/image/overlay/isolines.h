#pragma once

#include <QPolygonF>
#include <cstddef>
#include <limits>
#include <span>
#include <vector>

namespace ks::ui {

/// Lines where a field equals `level`, by marching squares with linear interpolation along the cell edges. In
/// a saddle, the mean of the corners decides which of them are joined. Closed lines end where they begin.
/// Cells with a non-finite corner are skipped, as are those whose corners differ by more than `mostStep`: an
/// angle jumps there.
/// @param values [i][j] of rows x columns; a point of a line is (i, j)
std::vector<QPolygonF> isolines(std::span<const float> values, std::size_t rows, std::size_t columns,
                                double level, double maxStep = std::numeric_limits<double>::infinity());

}  // namespace ks::ui
