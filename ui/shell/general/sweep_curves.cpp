#include "ui/shell/general/sweep_curves.h"

#include <algorithm>
#include <map>
#include <optional>

#include "core/base/quantile.h"

namespace ks::ui {
namespace {

struct Places {
    CurveSeries time, rate;
};

void sortByX(CurveSeries& curve) {
    std::vector<qsizetype> order(static_cast<std::size_t>(curve.x.size()));
    for (std::size_t i = 0; i < order.size(); ++i) order[i] = static_cast<qsizetype>(i);
    std::ranges::sort(order, {}, [&](qsizetype i) { return curve.x[i]; });
    const CurveSeries before = curve;
    for (std::size_t i = 0; i < order.size(); ++i) {
        const auto to = static_cast<qsizetype>(i);
        curve.x[to] = before.x[order[i]];
        curve.y[to] = before.y[order[i]];
        curve.yerr[to] = before.yerr[order[i]];
    }
}

void add(CurveSeries& curve, double x, std::vector<double> samples) {
    curve.x << x;
    curve.y << quantile(samples, 0.5);
    curve.yerr << (quantile(samples, 0.75) - quantile(samples, 0.25)) / 2;
}

}  // namespace

std::string sweepCurveName(const std::string& variant, const ParameterSet& others) {
    std::string name = variant;
    for (const auto& [id, value] : others) name += ", " + id + " " + to_text(value);
    return name;
}

SweepCurves sweepCurves(const std::vector<BenchPoint>& points, const std::string& size) {
    std::vector<std::string> order;
    std::map<std::string, Places> found;
    bool operations = false;
    for (const BenchPoint& point : points)
        for (const BenchRow& row : point.rows)
            if (!row.samples.empty() && work_of(row.samples.front(), row.variant.on_host()).operations > 0)
                operations = true;
    bool stated = false;
    const std::vector<std::string> varied = varied_sizes(points);
    for (const BenchPoint& point : points) {
        const std::optional<double> x = size_number(point.sizes, size);
        if (!x) continue;
        // With several lists, each combination of the other values has its own curves.
        ParameterSet others;
        for (const std::string& id : varied)
            if (const auto other = point.sizes.find(id); id != size && other != point.sizes.end())
                others.insert(*other);
        for (const BenchRow& row : point.rows) {
            if (row.samples.empty()) continue;
            const std::string curve = sweepCurveName(row.variant.id, others);
            if (!found.contains(curve)) order.push_back(curve);
            Places& places = found[curve];
            std::vector<double> times, rates;
            for (const BenchSample& sample : row.samples) {
                if (!(sample.kernel > 0)) continue;
                times.push_back(sample.kernel * 1e-6);
                const BenchWork work = work_of(sample, row.variant.on_host());
                const double amount = operations ? work.operations : work.bytes;
                if (amount > 0) rates.push_back(amount / sample.kernel);
            }
            if (!times.empty()) add(places.time, *x, times);
            if (rates.empty()) continue;
            add(places.rate, *x, rates);
            stated = true;
        }
    }
    SweepCurves curves;
    if (stated) curves.rateUnit = operations ? QStringLiteral("Gop/s") : QStringLiteral("GB/s");
    for (std::size_t i = 0; i < order.size(); ++i) {
        Places& places = found[order[i]];
        for (CurveSeries* curve : {&places.time, &places.rate}) {
            if (curve->x.isEmpty()) continue;
            sortByX(*curve);
            curve->bin = static_cast<int>(i) + 1;
            curve->label = QString::fromStdString(order[i]);
            (curve == &places.time ? curves.times : curves.rates) << *curve;
        }
    }
    return curves;
}

}  // namespace ks::ui
