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

/// End to end times of direct sums and of a treecode by N, as they were measured.
class CostCurves {
  public:
    CostCurves() = default;
    /// @param direct, treecode ids of the variants
    CostCurves(std::string direct, std::string treecode)
        : direct_(std::move(direct)), treecode_(std::move(treecode)) {}

    /// Takes the samples of a row of one of the two variants.
    void add(const ParameterSet& sizes, const BenchRow& row);
    bool empty() const { return times_.empty(); }
    /// Medians by ascending N.
    std::vector<ks::particles::Cost> costs(const std::string& variant) const;
    std::optional<ks::particles::Crossover> crossover() const;
    /// What the direct sums would take at n by what was measured, in seconds.
    std::optional<double> expected(double n) const;

    /// The curves, what follows from N^2 dashed, and the crossover as a line: ms over N.
    QVector<CurveSeries> series() const;
    /// "treecode is faster from N = 23,000"; empty: not known yet.
    QString verdict() const;

  private:
    std::string direct_, treecode_;
    std::map<std::string, std::map<double, std::vector<double>>> times_;  ///< seconds, [variant][N]
};

/// "23,000": with two digits that count.
QString roundedCount(double n);

}  // namespace ks::ui::particles
