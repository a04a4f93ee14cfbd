#pragma once

#include <string>
#include <vector>

#include "core/run/bench.h"
#include "ui/plots/curve_plot.h"

namespace ks::ui {

/// Medians over one size, one curve a variant, with half the distance of the quartiles as error.
struct SweepCurves {
    QVector<CurveSeries> times;  ///< of the kernels, ms; of host variants their stages
    QVector<CurveSeries> rates;  ///< of operations or bytes, 1e9 a second
    QString rateUnit;            ///< "Gop/s" or "GB/s"; empty: the stages state neither
};

/// Of a variant where further sizes have several values: "blocks.16, n 64".
std::string sweepCurveName(const std::string& variant, const ParameterSet& others);

/// @param size id; points that lack it, or have it as no number above 0, are left out
SweepCurves sweepCurves(const std::vector<BenchPoint>& points, const std::string& size);

}  // namespace ks::ui
