#pragma once

#include <string>
#include <vector>

#include "core/run/bench.h"
#include "ui/plots/curve_plot.h"

namespace ks::ui {

/// Medians over one size, one curve per variant, with half the interquartile range as error.
struct SweepCurves {
    QVector<CurveSeries> times;  ///< of the kernels, ms; for host variants of their stages
    QVector<CurveSeries> rates;  ///< of operations or bytes, 1e9 per second
    QString rateUnit;            ///< "Gop/s" or "GB/s"; empty: the stages declare neither
};

/// Name of a variant if further sizes have several values: "blocks.16, n 64".
std::string sweepCurveName(const std::string& variant, const ParameterSet& others);

/// @param size id; points without it, or with a value that is not a number above 0, are omitted
SweepCurves sweepCurves(const std::vector<BenchPoint>& points, const std::string& size);

}  // namespace ks::ui
