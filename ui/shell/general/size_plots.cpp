#include "ui/shell/general/size_plots.h"

#include <QSet>
#include <QSplitter>
#include <algorithm>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "core/base/quantile.h"
#include "core/run/bench.h"
#include "core/run/tables/shown_facts.h"
#include "ui/base/count_text.h"
#include "ui/base/layouts.h"
#include "ui/plots/curve_keys.h"
#include "ui/plots/curve_plot.h"
#include "ui/shell/general/measured_with.h"

namespace ks::ui {
namespace {

/// Medians over one size, one curve per variant, with the quartiles.
struct SweepCurves {
    QVector<CurveSeries> times;  ///< of the kernels, ms; for host variants of their stages
    QVector<CurveSeries> rates;  ///< of operations or bytes, 1e9 per second
    QString rateUnit;            ///< "GFLOP/s", "GB/s" or "Gop/s"; empty: there are no rates
    QSet<int> wrong;             ///< bins of the curves of wrong variants
};

struct Places {
    CurveSeries time, rate;
    bool wrong = false;  ///< the variant failed the check at some size
};

/// The work of a run in billions of the units of its rate.
struct Work {
    double amount;
    std::string unit;  ///< of the rate
};

/// From the rate that results state themselves; nothing if they do not.
std::optional<Work> statedWork(const BenchRow& row) {
    Result result;
    result.facts = row.facts;
    for (const ShownFact& fact : shown_facts(result))
        if (fact.name == "rate" && fact.value.is_number() && (fact.unit == "GB/s" || fact.unit == "GFLOP/s"))
            return Work{fact.value.get<double>() * row.first.kernel, fact.unit};
    return std::nullopt;
}

void sortByX(CurveSeries& curve) {
    std::vector<qsizetype> order(static_cast<std::size_t>(curve.x.size()));
    for (std::size_t i = 0; i < order.size(); ++i) order[i] = static_cast<qsizetype>(i);
    std::ranges::sort(order, {}, [&](qsizetype i) { return curve.x[i]; });
    const CurveSeries before = curve;
    for (std::size_t i = 0; i < order.size(); ++i) {
        const auto to = static_cast<qsizetype>(i);
        curve.x[to] = before.x[order[i]];
        curve.y[to] = before.y[order[i]];
        curve.low[to] = before.low[order[i]];
        curve.high[to] = before.high[order[i]];
    }
}

void add(CurveSeries& curve, double x, std::vector<double> samples) {
    curve.x << x;
    curve.y << quantile(samples, 0.5);
    curve.low << quantile(samples, 0.25);
    curve.high << quantile(samples, 0.75);
}

/// Name of a variant if further sizes have several values: "blocks.16, n 64".
std::string sweepCurveName(const std::string& variant, const ParameterSet& others) {
    std::string name = variant;
    for (const auto& [id, value] : others) name += ", " + id + " " + to_text(value);
    return name;
}

/// @param size id; points without it, or with a value that is not a number above 0, are omitted
SweepCurves sweepCurves(const std::vector<BenchPoint>& points, const std::string& size) {
    std::vector<std::string> order;
    std::map<std::string, Places> found;
    bool operations = false;
    std::optional<std::string> unit;  // of the rates that results state
    for (const BenchPoint& point : points)
        for (const BenchRow& row : point.rows)
            if (const std::optional<Work> work = statedWork(row); work && !row.samples.empty())
                unit = work->unit;
            else if (!row.samples.empty() &&
                     work_of(row.samples.front(), row.variant.on_host()).operations > 0)
                operations = true;
    bool stated = false;
    const std::vector<std::string> beside = varied_beside(points, size);
    for (const BenchPoint& point : points) {
        const std::optional<double> x = size_number(point.sizes, size);
        if (!x) continue;
        // With several lists, each combination of the other values has its own curves.
        ParameterSet others;
        for (const std::string& id : beside)
            if (const auto other = point.sizes.find(id); other != point.sizes.end()) others.insert(*other);
        for (const BenchRow& row : point.rows) {
            if (row.samples.empty()) continue;
            const std::string curve = sweepCurveName(row.variant.id, others);
            if (!found.contains(curve)) order.push_back(curve);
            Places& places = found[curve];
            places.wrong = places.wrong || row.verdict.state == Verdict::State::fail;
            std::vector<double> times, rates;
            const std::optional<Work> ofResult = statedWork(row);
            for (const BenchSample& sample : row.samples) {
                if (!(sample.kernel > 0)) continue;
                times.push_back(sample.kernel * 1e-6);
                const BenchWork work = work_of(sample, row.variant.on_host());
                const double amount = unit         ? (ofResult ? ofResult->amount : 0)
                                      : operations ? work.operations
                                                   : work.bytes;
                if (amount > 0) rates.push_back(amount / sample.kernel);
            }
            if (!times.empty()) add(places.time, *x, times);
            if (rates.empty()) continue;
            add(places.rate, *x, rates);
            stated = true;
        }
    }
    SweepCurves curves;
    if (stated && unit)
        curves.rateUnit = QString::fromStdString(*unit);
    else if (stated)
        curves.rateUnit = operations ? QStringLiteral("Gop/s") : QStringLiteral("GB/s");
    for (std::size_t i = 0; i < order.size(); ++i) {
        Places& places = found[order[i]];
        if (places.wrong) curves.wrong << static_cast<int>(i) + 1;
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

CurvePlot* sizePlot(const QString& name, const QString& empty) {
    auto* plot = new CurvePlot;
    plot->setAccessibleName(name);
    plot->setLogX(true);
    plot->setLogY(true);
    plot->setEmptyText(empty);
    plot->setLegendVisible(false);  // one is below both
    return plot;
}

/// "blocks.16, slope 2.9": the time of a variant grows with this power of the size.
QString labelOf(const QString& curve, const std::vector<BenchSlope>& slopes, const std::string& size) {
    const auto found = std::ranges::find_if(slopes, [&](const BenchSlope& one) {
        return one.size == size && sweepCurveName(one.variant, one.others) == curve.toStdString();
    });
    return found == slopes.end()
               ? curve
               : QObject::tr("%1, slope %2").arg(curve, QString::number(found->kernel, 'f', 2));
}

}  // namespace

SizePlots::SizePlots(QWidget* parent)
    : QWidget(parent),
      times_(sizePlot(tr("Time against size"), tr("Press Measure to see how the time grows with the size"))),
      rates_(sizePlot(tr("Rate against size"),
                      tr("Throughput appears here (for kernels whose bytes or operations are known)"))),
      keys_(new CurveKeys) {
    auto* both = new QSplitter;
    both->addWidget(times_);
    both->addWidget(rates_);
    both->setChildrenCollapsible(false);
    setLayout(inRows({{both, 1}, keys_}, 0));
    connect(keys_, &CurveKeys::binTicked, this, [this](int bin, bool visible) {
        for (CurvePlot* plot : {times_, rates_}) plot->setBinVisible(bin, visible);
    });
}

void SizePlots::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    // In a low drawer the diagrams come first: the legend scrolls.
    keys_->setMostHeight(std::clamp(height() - times_->minimumSizeHint().height(), 0, height() * 2 / 5));
}

void SizePlots::setEmptyText(const QString& text) {
    times_->setEmptyText(text);
}

void SizePlots::setPoints(const std::vector<BenchPoint>& points, const std::vector<ParameterSpec>& sizes) {
    std::vector<BenchPoint> there = points;
    std::erase_if(there, [](const BenchPoint& point) { return point.rows.empty(); });
    const std::string size = swept_size(points).value_or(sizes.empty() ? std::string() : sizes.front().id);
    SweepCurves curves = sweepCurves(there, size);
    const std::vector<BenchSlope> slopes = slopes_of(there);
    std::map<int, QString> names;  // by bin, without slope and mark
    for (const CurveSeries& one : curves.times) names[one.bin] = one.label;
    for (CurveSeries& one : curves.times)
        one.label = markedLabel(labelOf(one.label, slopes, size), curves.wrong.contains(one.bin));
    for (CurveSeries& one : curves.rates) one.label = markedLabel(one.label, curves.wrong.contains(one.bin));
    const auto spec = std::ranges::find(sizes, size, &ParameterSpec::id);
    const QString label = spec == sizes.end() ? tr("Size") : QString::fromStdString(spec->label);
    const QString unit = spec == sizes.end() ? QString() : QString::fromStdString(spec->unit);
    for (CurvePlot* plot : {times_, rates_}) plot->setXAxis(label, unit);
    times_->setYAxis(tr("Kernels"), QStringLiteral("ms"));
    rates_->setYAxis(tr("Rate"), curves.rateUnit);
    times_->setSeries(curves.times);
    rates_->setSeries(curves.rates);
    keys_->setSeries(curves.times);
    QStringList without;
    for (const CurveSeries& one : curves.times)
        if (std::ranges::find(curves.rates, one.bin, &CurveSeries::bin) == curves.rates.end())
            without << names[one.bin];
    withoutRate_ = curves.rates.isEmpty() || without.isEmpty()
                       ? QString()
                       : tr("Rate not known: %1").arg(without.join(QStringLiteral("; ")));
    showNotes();
}

void SizePlots::setNote(const QString& note) {
    note_ = note;
    showNotes();
}

void SizePlots::showNotes() {
    times_->setNote(note_);
    rates_->setNote(joinedTexts({note_, withoutRate_}));
}

}  // namespace ks::ui
