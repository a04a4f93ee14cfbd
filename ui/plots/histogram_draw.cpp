#include <qcustomplot.h>
#include <QSet>
#include <algorithm>
#include <cmath>

#include "ui/base/palette.h"
#include "ui/plots/axis_ticker.h"
#include "ui/plots/curve_figure.h"
#include "ui/plots/histogram_plot.h"
#include "ui/plots/plot_text.h"

namespace ks::ui {
namespace {

constexpr double lowest = 0.5;    ///< start of a logarithmic axis of counts
constexpr double nothing = 1e-9;  ///< value of an empty bin there: far below the visible range

QColor translucent(QColor colour, int alpha) {
    colour.setAlpha(alpha);
    return colour;
}

}  // namespace

void HistogramPlot::draw(QCustomPlot& plot, const QPalette& palette, bool printed) const {
    plot.clearItems();
    plot.clearPlottables();
    plot.setAutoAddPlottableToLegend(false);
    plot.axisRect()->setMinimumMargins(QMargins(8, 10, 14, 4));
    plot.axisRect()->setupFullAxesBox(true);
    for (QCPAxis* axis : {plot.xAxis2, plot.yAxis2}) {
        axis->setTicks(false);
        axis->setTickLabels(false);
    }
    setLogarithmic(*plot.xAxis, logX_);
    setLogarithmic(*plot.yAxis, logY_, true);
    plot.xAxis2->setScaleType(plot.xAxis->scaleType());
    plot.yAxis2->setScaleType(plot.yAxis->scaleType());
    if (ticker_ && !logX_) plot.xAxis->setTicker(ticker_);
    plot.xAxis->setLabel(titleWithUnit(xTitle_, xUnit_));
    plot.yAxis->setLabel(counted_);
    applyPalette(plot, palette);
    addBands(plot, palette);
    for (const HistogramSeries& one : series_) addSeries(plot, one, isDark(palette));
    addMarks(plot, palette);
    addLegend(plot, palette, printed);
    addEmptyText(plot, palette);
}

void HistogramPlot::addSeries(QCustomPlot& plot, const HistogramSeries& series, bool dark) const {
    const double base = logY_ ? nothing : 0;
    QVector<double> x, y;
    for (qsizetype i = 0; i < series.counts.size(); ++i) {
        if (logX_ && series.edges[i] <= 0) continue;
        if (x.isEmpty()) {
            x << series.edges[i];
            y << base;
        }
        x << series.edges[i];
        y << std::max(series.counts[i], base);
    }
    if (!x.isEmpty()) {
        x << series.edges.last();
        y << base;
    }
    const qsizetype run = std::max<qsizetype>(runs().indexOf(series.run), 0);
    const QColor colour = binColour(series.colour, dark);
    QCPGraph* graph = plot.addGraph();
    graph->setName(series.label);
    graph->setAdaptiveSampling(false);
    graph->setAntialiased(false);
    graph->setData(x, y, true);
    graph->setLineStyle(QCPGraph::lsStepLeft);
    QPen pen(colour, 1.5, runPattern(run));
    pen.setCapStyle(Qt::FlatCap);
    pen.setJoinStyle(Qt::MiterJoin);
    graph->setPen(pen);
    // One filled area per kind: those of further runs would only blend.
    if (run == 0) graph->setBrush(translucent(colour, 48));
}

void HistogramPlot::addBands(QCustomPlot& plot, const QPalette& palette) const {
    for (const HistogramBand& band : bands_) {
        if (logX_ && band.from <= 0) continue;
        auto* box = new QCPItemRect(&plot);
        box->setLayer(QStringLiteral("background"));
        box->setPen(Qt::NoPen);
        box->setBrush(translucent(binColour(6, isDark(palette)), 72));
        for (QCPItemPosition* corner : {box->topLeft, box->bottomRight}) {
            corner->setTypeX(QCPItemPosition::ptPlotCoords);
            corner->setTypeY(QCPItemPosition::ptAxisRectRatio);
        }
        box->topLeft->setCoords(band.from, 0);
        box->bottomRight->setCoords(band.to, 1);
    }
}

void HistogramPlot::addRunSamples(QCustomPlot& plot, const QColor& line) const {
    const QStringList names = runs();
    for (qsizetype run = 0; names.size() > 1 && run < names.size(); ++run) {
        QCPGraph* sample = plot.addGraph();
        sample->setName(names[run]);
        sample->setPen(QPen(line, 1.5, runPattern(run)));
        sample->addToLegend();
    }
}

void HistogramPlot::addLegend(QCustomPlot& plot, const QPalette& palette, bool printed) const {
    plot.legend->clearItems();
    QSet<QString> seen;
    for (int i = 0; i < series_.size(); ++i) {
        const QString& label = series_[i].label;
        if (label.isEmpty() || seen.contains(label)) continue;
        seen.insert(label);
        plot.graph(i)->addToLegend();
    }
    addRunSamples(plot, palette.color(QPalette::Text));
    if (!bands_.isEmpty() && !bandName_.isEmpty()) {
        QCPGraph* sample = plot.addGraph();
        sample->setName(bandName_);
        sample->setPen(Qt::NoPen);
        sample->setBrush(translucent(binColour(6, isDark(palette)), 110));
        sample->addToLegend();
    }
    plot.legend->setVisible(legend_ && plot.legend->itemCount() > (printed ? 0 : 1));
    plot.legend->setIconSize(24, 12);
    plot.legend->setRowSpacing(0);
    plot.legend->setMargins(QMargins(6, 3, 6, 3));
    plot.legend->setBorderPen(Qt::NoPen);
    if (!printed || plot.legend->itemCount() == 0) return;
    // Next to the axes, so that it never covers a bin.
    plot.axisRect()->insetLayout()->take(plot.legend);
    auto* column = new QCPLayoutGrid;
    plot.plotLayout()->addElement(0, 1, column);
    column->addElement(0, 0, plot.legend);
    column->addElement(1, 0, new QCPLayoutElement(&plot));  // takes the remaining space below
    column->setRowStretchFactor(0, 0.001);
    plot.plotLayout()->setColumnStretchFactor(1, 0.001);
}

void HistogramPlot::addEmptyText(QCustomPlot& plot, const QPalette& palette) const {
    const bool empty = std::all_of(series_.begin(), series_.end(),
                                   [](const HistogramSeries& one) { return one.counts.isEmpty(); });
    // Axes without bins would only clutter the hint.
    const bool hint = empty && !emptyText_.isEmpty();
    for (QCPAxis* axis : plot.axisRect()->axes()) {
        axis->setVisible(!hint);
        axis->grid()->setVisible(!hint && (axis == plot.xAxis || axis == plot.yAxis));
    }
    if (hint) plot.legend->setVisible(false);
    if (!hint) return;
    for (int item = plot.itemCount() - 1; item >= 0; --item) plot.removeItem(item);  // bands
    new WrappedText(plot, emptyText_, palette);                                      // owned by the plot
}

QPair<QCPRange, QCPRange> HistogramPlot::whole() const {
    double from = HUGE_VAL, to = -HUGE_VAL, maximum = 0;
    for (const HistogramSeries& one : series_) {
        for (qsizetype i = 0; i < one.counts.size(); ++i) {
            if (logX_ && one.edges[i] <= 0) continue;
            from = std::min(from, one.edges[i]);
            to = std::max(to, one.edges[i + 1]);
            maximum = std::max(maximum, one.counts[i]);
        }
    }
    if (from > to) {
        from = 1;
        to = 10;
    }
    return {paddedRange(from, to, logX_, 0.02), logY_ ? QCPRange(lowest, std::max(maximum, 5.0) * 1.6)
                                                      : QCPRange(0, std::max(maximum, 1.0) * 1.12)};
}

void HistogramPlot::fit(QCustomPlot& plot) const {
    const auto [x, y] = whole();
    plot.xAxis->setRange(x);
    plot.yAxis->setRange(y);
}

}  // namespace ks::ui
