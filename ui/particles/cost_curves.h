#pragma once

#include <QString>
#include <QVector>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "core/particles/crossover.h"
#include "core/run/bench.h"
#include "ui/plots/curve_plot.h"

namespace ks::ui::particles {

/// Measured end-to-end times of direct sums and of a treecode as functions of N.
class CostCurves {
  public:
    CostCurves() = default;
    /// @param direct, treecode ids of the variants
    CostCurves(std::string direct, std::string treecode)
        : direct_(std::move(direct)), treecode_(std::move(treecode)) {}

    /// Adds the samples of a row of one of the two variants.
    void add(const ParameterSet& sizes, const BenchRow& row);
    bool empty() const { return times_.empty(); }
    /// Medians by ascending N.
    std::vector<ks::particles::Cost> costs(const std::string& variant) const;
    std::optional<ks::particles::Crossover> crossover() const;
    /// Time that direct sums would take at n, extrapolated from the measurements, in seconds.
    std::optional<double> expected(double n) const;

    /// The curves in ms over N, with the N^2 extrapolation dashed and the crossover as a line.
    QVector<CurveSeries> series() const;
    /// "treecode is faster from N = 23,000"; empty: not known yet.
    QString verdict() const;

  private:
    std::string direct_, treecode_;
    std::map<std::string, std::map<double, std::vector<double>>> times_;  ///< seconds, [variant][N]
};

/// "23,000": rounded to two significant digits.
QString roundedCount(double n);

}  // namespace ks::ui::particles
