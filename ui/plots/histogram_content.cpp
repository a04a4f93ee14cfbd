#include "ui/plots/histogram_content.h"

#include <qcustomplot.h>
#include <QSet>
#include <algorithm>
#include <cmath>

#include "core/data/missing_value.h"
#include "ui/base/count_text.h"
#include "ui/base/palette.h"
#include "ui/plots/axis_ticker.h"
#include "ui/plots/curve_figure.h"
#include "ui/plots/curve_legend.h"
#include "ui/plots/plot_text.h"
#include "ui/plots/shaded_band.h"

namespace ks::ui {
namespace {

constexpr double lowest = 0.5;    ///< start of a logarithmic axis of counts
constexpr double nothing = 1e-9;  ///< value of an empty bin there: far below the visible range

QColor translucent(QColor colour, int alpha) {
    colour.setAlpha(alpha);
    return colour;
}

/// Calls `use` with every value that can be drawn.
template <class Use>
void each(const QVector<QVector<double>>& values, const Use& use) {
    for (const QVector<double>& some : values)
        for (const double value : some)
            if (canBeDrawn(value)) use(value);
}

}  // namespace

void HistogramContent::draw(QCustomPlot& plot, const QPalette& palette, bool printed) const {
    plot.clearItems();
    plot.clearPlottables();
    plot.setAutoAddPlottableToLegend(false);
    plot.axisRect()->setupFullAxesBox(true);
    for (QCPAxis* axis : {plot.xAxis2, plot.yAxis2}) {
        axis->setTicks(false);
        axis->setTickLabels(false);
    }
    setLogarithmic(*plot.xAxis, logX);
    setLogarithmic(*plot.yAxis, logY, true);
    plot.xAxis2->setScaleType(plot.xAxis->scaleType());
    plot.yAxis2->setScaleType(plot.yAxis->scaleType());
    if (ticker && !logX) plot.xAxis->setTicker(ticker);
    setTitle(*plot.xAxis, titleWithUnit(xTitle, xUnit));
    setTitle(*plot.yAxis, counted);
    applyPalette(plot, palette);
    addBands(plot, palette);
    for (const HistogramSeries& one : series) addSeries(plot, one, isDark(palette));
    addMarks(plot, palette);
    addLegend(plot, palette, printed);
    const QString noted = joinedTexts({note, undrawn()}, QStringLiteral("\n"));
    constexpr int right = 14;  // of the axes
    const int legendWidth =
                  printed && plot.legend->visible() ? plot.legend->minimumOuterSizeHint().width() : 0,
              above = badgeHeight(QFontMetrics(plot.font()), noted,
                                  plot.viewport().width() - right - legendWidth - 4);
    plot.axisRect()->setMinimumMargins(QMargins(8, std::max(10, above + 2), right, 4));
    addEmptyText(plot, palette);
    if (!noted.isEmpty() && !hints()) new Badge(plot, noted, palette);  // owned by the plot
}

QString HistogramContent::undrawn() const {
    QStringList lines;
    const QStringList names = runs();
    for (const HistogramSeries& one : series) {
        const QString said = one.label == series.front().label ? one.undrawn.text() : QString();
        if (said.isEmpty()) continue;
        lines << (names.size() > 1 && !one.run.isEmpty() ? QStringLiteral("%1: %2").arg(one.run, said)
                                                         : said);
    }
    return lines.join(QLatin1Char('\n'));
}

bool HistogramContent::hints() const {
    return !emptyText.isEmpty() &&
           std::ranges::all_of(series, [](const HistogramSeries& one) { return one.counts.isEmpty(); });
}

void HistogramContent::addSeries(QCustomPlot& plot, const HistogramSeries& one, bool dark) const {
    const double base = logY ? nothing : 0;
    QVector<double> x, y;
    for (qsizetype i = 0; i < one.counts.size(); ++i) {
        if (logX && one.edges[i] <= 0) continue;
        if (x.isEmpty()) {
            x << one.edges[i];
            y << base;
        }
        x << one.edges[i];
        y << std::max(one.counts[i], base);
    }
    if (!x.isEmpty()) {
        x << one.edges.last();
        y << base;
    }
    const qsizetype run = std::max<qsizetype>(runs().indexOf(one.run), 0);
    const QColor colour = binColour(one.colour, dark);
    QCPGraph* graph = plot.addGraph();
    graph->setName(one.label);
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

void HistogramContent::addBands(QCustomPlot& plot, const QPalette& palette) const {
    for (const HistogramBand& band : bands) {
        if (logX && band.from <= 0) continue;
        addShadedBand(plot, *plot.axisRect(), band.from, band.to,
                      translucent(binColour(6, isDark(palette)), 72));
    }
}

void HistogramContent::addMarks(QCustomPlot& plot, const QPalette& palette) const {
    const QFontMetricsF metrics(plot.font());
    double row = 0, from = HUGE_VAL, to = -HUGE_VAL;
    for (const HistogramSeries& one : series)
        for (const double edge : one.edges)
            if (!logX || edge > 0) {
                from = std::min(from, edge);
                to = std::max(to, edge);
            }
    for (const HistogramMark& mark : marks) {
        if (logX && mark.x <= 0) continue;
        auto* line = new QCPItemLine(&plot);
        line->setPen(QPen(binColour(mark.colour, isDark(palette)), 2));
        for (QCPItemPosition* end : {line->start, line->end}) {
            end->setTypeX(QCPItemPosition::ptPlotCoords);
            end->setTypeY(QCPItemPosition::ptAxisRectRatio);
        }
        line->start->setCoords(mark.x, 0);
        line->end->setCoords(mark.x, 1);
        if (mark.label.isEmpty()) continue;
        auto* text = new QCPItemText(&plot);
        text->setText(mark.label);
        text->setFont(plot.font());
        text->setColor(palette.color(QPalette::Text));
        QColor ground = palette.color(QPalette::Base);
        ground.setAlpha(200);
        text->setBrush(ground);
        text->setPadding(QMargins(3, 0, 3, 0));
        const bool right = logX ? mark.x * mark.x > from * to : 2 * mark.x > from + to;
        text->setPositionAlignment((right ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignTop);
        text->position->setTypeX(QCPItemPosition::ptPlotCoords);
        text->position->setTypeY(QCPItemPosition::ptAxisRectRatio);
        text->position->setCoords(mark.x, 0.02 + row);
        // Labels of close lines are placed below each other.
        row += metrics.height() / std::max(60.0, static_cast<double>(plot.axisRect()->height()));
    }
}

QStringList HistogramContent::runs() const {
    QStringList names;
    for (const HistogramSeries& one : series)
        if (!names.contains(one.run)) names << one.run;
    return names;
}

void HistogramContent::addRunSamples(QCustomPlot& plot, const QColor& line) const {
    const QStringList names = runs();
    for (qsizetype run = 0; names.size() > 1 && run < names.size(); ++run) {
        QCPGraph* sample = plot.addGraph();
        sample->setName(names[run]);
        sample->setPen(QPen(line, 1.5, runPattern(run)));
        sample->addToLegend();
    }
}

void HistogramContent::addLegend(QCustomPlot& plot, const QPalette& palette, bool printed) const {
    plot.legend->clearItems();
    QSet<QString> seen;
    for (int i = 0; i < series.size(); ++i) {
        const QString& label = series[i].label;
        if (label.isEmpty() || seen.contains(label)) continue;
        seen.insert(label);
        plot.graph(i)->addToLegend();
    }
    addRunSamples(plot, palette.color(QPalette::Text));
    if (!bands.isEmpty() && !bandName.isEmpty()) {
        QCPGraph* sample = plot.addGraph();
        sample->setName(bandName);
        sample->setPen(Qt::NoPen);
        sample->setBrush(translucent(binColour(6, isDark(palette)), 110));
        sample->addToLegend();
    }
    plot.legend->setVisible(legend && plot.legend->itemCount() > (printed ? 0 : 1));
    plot.legend->setIconSize(24, 12);
    plot.legend->setRowSpacing(0);
    plot.legend->setMargins(QMargins(6, 3, 6, 3));
    plot.legend->setBorderPen(Qt::NoPen);
    if (!printed || plot.legend->itemCount() == 0) return;
    // Next to the axes, so that it never covers a bin.
    plot.axisRect()->insetLayout()->take(plot.legend);
    moveLegendBeside(plot);
}

void HistogramContent::addEmptyText(QCustomPlot& plot, const QPalette& palette) const {
    // Axes without bins would only clutter the hint.
    const bool hint = hints();
    for (QCPAxis* axis : plot.axisRect()->axes()) {
        axis->setVisible(!hint);
        axis->grid()->setVisible(!hint && (axis == plot.xAxis || axis == plot.yAxis));
    }
    if (hint) plot.legend->setVisible(false);
    if (!hint) return;
    for (int item = plot.itemCount() - 1; item >= 0; --item) plot.removeItem(item);  // bands
    new WrappedText(plot, emptyText, palette);                                       // owned by the plot
}

double HistogramContent::highest(double from, double to) const {
    double maximum = 0;
    for (const HistogramSeries& one : series)
        for (qsizetype i = 0; i < one.counts.size(); ++i)
            if (one.edges[i] < to && one.edges[i + 1] > from) maximum = std::max(maximum, one.counts[i]);
    return maximum;
}

double HistogramContent::clearOfLegend(QCustomPlot& plot, double top) const {
    QCPLayoutInset& inside = *plot.axisRect()->insetLayout();
    // Otherwise the axes would be those of the last replot, which may have had another size.
    for (const auto phase :
         {QCPLayoutElement::upPreparation, QCPLayoutElement::upMargins, QCPLayoutElement::upLayout})
        plot.plotLayout()->update(phase);
    const QRectF axes = plot.axisRect()->rect();
    if (!plot.legend->visible() || inside.elementCount() == 0 || axes.isEmpty()) return top;
    constexpr double below = 4, most = 0.7;
    const QSize size = plot.legend->minimumOuterSizeHint().grownBy(inside.margins());
    const double wide = std::min(size.width() / axes.width(), 1.0),
                 high = std::min((size.height() - inside.margins().bottom() + below) / axes.height(), most);
    const QCPRange x = plot.xAxis->range();
    const auto at = [&](double share) {
        return logX ? x.lower * std::pow(x.upper / x.lower, share) : x.lower + share * x.size();
    };
    const double left = highest(x.lower, at(wide)), right = highest(at(1 - wide), x.upper);
    inside.setInsetAlignment(0, (left < right ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignTop);
    const double under = std::min(left, right);
    if (logY) return std::max(top, lowest * std::pow(std::max(under / lowest, 1.0), 1 / (1 - high)));
    return std::max(top, under / (1 - high));
}

void HistogramContent::fit(QCustomPlot& plot) const {
    double from = HUGE_VAL, to = -HUGE_VAL;
    for (const HistogramSeries& one : series) {
        for (qsizetype i = 0; i < one.counts.size(); ++i) {
            if (logX && one.edges[i] <= 0) continue;
            from = std::min(from, one.edges[i]);
            to = std::max(to, one.edges[i + 1]);
        }
    }
    const double maximum = highest(from, to);
    if (from > to) {
        from = 1;
        to = 10;
    }
    plot.xAxis->setRange(paddedRange(from, to, logX, 0.02));
    const double top = logY ? std::max(maximum, 5.0) * 1.6 : std::max(maximum, 1.0) * 1.12;
    plot.yAxis->setRange(logY ? lowest : 0, clearOfLegend(plot, top));
}

QVector<double> logEdges(const QVector<QVector<double>>& values, int perDecade) {
    double low = HUGE_VAL, high = 0;
    each(values, [&](double value) {
        if (!canBeDrawn(value, true)) return;
        low = std::min(low, value);
        high = std::max(high, value);
    });
    if (high == 0) return {};
    const auto edge = [perDecade](int step) {
        // Whole powers are exact.
        return step % perDecade == 0 ? std::pow(10.0, step / perDecade)
                                     : std::pow(10.0, static_cast<double>(step) / perDecade);
    };
    int first = static_cast<int>(std::floor(std::log10(low) * perDecade));
    while (edge(first) > low) --first;
    QVector<double> edges;
    for (int step = first;; ++step) {
        edges << edge(step);
        if (edges.last() > high) return edges;
    }
}

QVector<double> wholeEdges(const QVector<QVector<double>>& values, int maximum) {
    double low = HUGE_VAL, high = -HUGE_VAL;
    each(values, [&](double value) {
        low = std::min(low, std::round(value));
        high = std::max(high, std::round(value));
    });
    if (low > high) return {};
    // Numbers this large have no halves.
    constexpr double halves = 1e15;
    const bool grow = high - low + 1 > maximum || std::max(std::abs(low), std::abs(high)) > halves;
    QVector<double> edges{low - 0.5};
    while (edges.last() <= high) {
        const double width = grow ? std::floor(std::abs(edges.last()) * 0.1) : 0;
        edges << edges.last() + std::max(1.0, width);
    }
    return edges;
}

QVector<double> linearEdges(const QVector<QVector<double>>& values, int bins) {
    double high = 0;
    each(values, [&](double value) { high = std::max(high, value); });
    if (high == 0) return {};
    QVector<double> edges;
    for (int i = 0; i <= bins; ++i) edges << high * i / bins;
    return edges;
}

Undrawn undrawnOf(const QVector<double>& values, bool logarithmic) {
    Undrawn counted;
    for (const double value : values)
        if (!is_missing(value)) counted.add(value, logarithmic);
    return counted;
}

QVector<double> binned(const QVector<double>& values, const QVector<double>& edges) {
    if (edges.size() < 2) return {};
    QVector<double> counts(edges.size() - 1, 0);
    for (const double value : values) {
        if (!(value >= edges.first() && value <= edges.last())) continue;
        const auto above = std::upper_bound(edges.begin(), edges.end(), value);
        counts[std::min<qsizetype>(above - edges.begin() - 1, counts.size() - 1)] += 1;
    }
    return counts;
}

}  // namespace ks::ui
