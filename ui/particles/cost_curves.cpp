#include "ui/particles/cost_curves.h"

#include <QLocale>
#include <QObject>
#include <algorithm>
#include <cmath>

#include "core/base/quantile.h"

namespace ks::ui::particles {
namespace {

using ks::particles::Cost;
using ks::particles::Crossover;

enum Bin { direct = 1, treecode = 2, change = 3 };  // colours

CurveSeries curveOf(const std::map<double, std::vector<double>>& times, const std::string& variant, Bin bin) {
    CurveSeries curve;
    curve.label = QString::fromStdString(variant);
    curve.bin = bin;
    curve.run = QObject::tr("measured");
    for (const auto& [n, samples] : times) {
        curve.x << n;
        curve.y << 1e3 * quantile(samples, 0.5);
        curve.yerr << 1e3 * (quantile(samples, 0.75) - quantile(samples, 0.25)) / 2;
    }
    return curve;
}

}  // namespace

QString roundedCount(double n) {
    const double unit = std::pow(10, std::max(0.0, std::floor(std::log10(n)) - 1));
    return QLocale(QLocale::English).toString(static_cast<qlonglong>(std::round(n / unit) * unit));
}

void CostCurves::add(const ParameterSet& sizes, const BenchRow& row) {
    const std::optional<double> n = size_number(sizes, "points");
    if (!n || row.samples.empty() || (row.variant.id != direct_ && row.variant.id != treecode_)) return;
    std::vector<double> seconds = row.times(&BenchSample::total);
    for (double& one : seconds) one *= 1e-9;
    times_[row.variant.id][*n] = std::move(seconds);
}

std::vector<Cost> CostCurves::costs(const std::string& variant) const {
    std::vector<Cost> all;
    if (const auto found = times_.find(variant); found != times_.end())
        for (const auto& [n, samples] : found->second) all.push_back({n, quantile(samples, 0.5)});
    return all;
}

std::optional<Crossover> CostCurves::crossover() const {
    return ks::particles::crossover_of(costs(direct_), costs(treecode_));
}

std::optional<double> CostCurves::expected(double n) const {
    return ks::particles::direct_seconds(costs(direct_), n);
}

QVector<CurveSeries> CostCurves::series() const {
    QVector<CurveSeries> all;
    for (const auto& [variant, bin] : {std::pair{direct_, direct}, std::pair{treecode_, treecode}})
        if (const auto found = times_.find(variant); found != times_.end())
            all << curveOf(found->second, variant, bin);
    const std::vector<Cost> direct_costs = costs(direct_), others = costs(treecode_);
    if (!direct_costs.empty() && !others.empty() && others.back().n > direct_costs.back().n) {
        CurveSeries beyond;
        beyond.label = QString::fromStdString(direct_);
        beyond.bin = direct;
        beyond.run = QObject::tr("extrapolated");
        beyond.style = CurveStyle::line;
        for (const double n : {direct_costs.back().n, others.back().n}) {
            beyond.x << n;
            beyond.y << 1e3 * expected(n).value_or(0);
        }
        all << beyond;
    }
    const std::optional<Crossover> found = crossover();
    if (!found || found->kind != Crossover::Kind::from) return all;
    double low = all.front().y.front(), high = low;
    for (const CurveSeries& one : all)
        for (const double y : one.y) {
            low = std::min(low, y);
            high = std::max(high, y);
        }
    CurveSeries line;
    line.label = QObject::tr("crossover");
    line.labelInFull = QObject::tr("crossover at N = %1").arg(roundedCount(found->n));
    line.bin = change;
    line.run = all.front().run;
    line.style = CurveStyle::line;
    line.x = {found->n, found->n};
    line.y = {low, high};
    return all << line;
}

QString CostCurves::verdict() const {
    const std::optional<Crossover> found = crossover();
    if (!found) return {};
    const QString n = roundedCount(found->n), faster = QString::fromStdString(treecode_);
    const QString by =
        found->extrapolated ? QObject::tr(" (direct sums extrapolated as N\u00b2)") : QString();
    switch (found->kind) {
        case Crossover::Kind::from:
            return QObject::tr("%1 is faster from N = %2%3").arg(faster, n, by);
        case Crossover::Kind::always:
            return QObject::tr("%1 is faster at all N from %2 on%3").arg(faster, n, by);
        case Crossover::Kind::never:
            break;
    }
    return QObject::tr("%1 is faster up to N = %2%3").arg(QString::fromStdString(direct_), n, by);
}

}  // namespace ks::ui::particles
