#include "ui/shell/general/size_plots.h"

#include <QSplitter>
#include <algorithm>

#include "ui/base/layouts.h"
#include "ui/plots/curve_keys.h"
#include "ui/plots/curve_plot.h"
#include "ui/shell/general/sweep_curves.h"

namespace ks::ui {
namespace {

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
    keys_->setMostHeight(height() * 2 / 5);
}

void SizePlots::setEmptyText(const QString& text) {
    times_->setEmptyText(text);
}

void SizePlots::setPoints(const std::vector<BenchPoint>& points, const std::vector<ParameterSpec>& sizes) {
    std::vector<BenchPoint> there = points;
    std::erase_if(there, [](const BenchPoint& point) { return point.rows.empty(); });
    const std::vector<std::string> varied = varied_sizes(points);
    const std::string size = !varied.empty() ? varied.front()
                             : sizes.empty() ? std::string()
                                             : sizes.front().id;
    SweepCurves curves = sweepCurves(there, size);
    const std::vector<BenchSlope> slopes = slopes_of(there);
    for (CurveSeries& one : curves.times) one.label = labelOf(one.label, slopes, size);
    const auto spec = std::ranges::find(sizes, size, &ParameterSpec::id);
    const QString label = spec == sizes.end() ? tr("Size") : QString::fromStdString(spec->label);
    const QString unit = spec == sizes.end() ? QString() : QString::fromStdString(spec->unit);
    for (CurvePlot* plot : {times_, rates_}) plot->setXAxis(label, unit);
    times_->setYAxis(tr("Kernels"), QStringLiteral("ms"));
    rates_->setYAxis(tr("Rate"), curves.rateUnit);
    times_->setSeries(curves.times);
    rates_->setSeries(curves.rates);
    keys_->setSeries(curves.times);
}

}  // namespace ks::ui
