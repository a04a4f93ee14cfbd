#include "ui/xpcs/two_time/counts_strip.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include <qcustomplot.h>

#include "ui/base/layouts.h"
#include "ui/base/palette.h"
#include "ui/base/restyled.h"
#include "ui/plots/axis_ticker.h"
#include "ui/plots/figure_export.h"
#include "ui/plots/map_plot.h"
#include "ui/plots/plot_view.h"
#include "ui/plots/shaded_band.h"

namespace ks::ui::xpcs {
namespace {

/// The map keeps at least this height, in lines of text: below it, there is no strip.
constexpr int leastLinesOfMap = 11;
constexpr int linesOfStrip = 3;

void prepare(QCustomPlot& plot) {
    QCPAxisRect& frame = *plot.axisRect();
    frame.setupFullAxesBox(true);
    frame.setAutoMargins(QCP::msNone);
    for (QCPAxis* axis : frame.axes()) {
        axis->setTicks(axis == plot.yAxis || axis == plot.xAxis);
        axis->setTickLabels(axis == plot.yAxis);
    }
    setLogarithmic(*plot.xAxis, false);
    setLogarithmic(*plot.yAxis, false);
    keepTicksApart(plot);
}

/// Between these columns, as the axes of the map are.
QMargins marginsAt(int left, int width, int whole) {
    return {left, 4, whole - left - width, 2};
}

}  // namespace

CountsStrip::CountsStrip(MapPlot* map, QWidget* parent)
    : QWidget(parent), map_(map), plot_(new QCustomPlot(this)) {
    map_->setParent(this);
    named(plot_, tr("Mean counts of each frame beside the two-time map"),
          tr("I(t): mean counts per pixel of the bin in each frame; frames that are left out are shaded"));
    prepare(*plot_);
    plot_->hide();
    connect(&map_->plot(), &QCustomPlot::afterReplot, this, &CountsStrip::follow);
    new HoverText(
        *plot_,
        [this](const QPointF& at) {
            const bool inside = plot_->axisRect()->rect().contains(at.toPoint());
            return inside ? describe(plot_->xAxis->pixelToCoord(at.x())) : QString();
        },
        [this](const QString& text) { emit pointHovered(text); });
    new Restyled(this, Restyled::By::paletteOrFont, [this] {
        place();
        draw();
    });
}

QSize CountsStrip::sizeHint() const {
    return map_->sizeHint();
}

QSize CountsStrip::minimumSizeHint() const {
    return map_->minimumSizeHint();
}

QSize CountsStrip::figureSize() const {
    return map_->figureSize();
}

QString CountsStrip::figureName() const {
    return map_->figureName();
}

QString CountsStrip::whyEmpty() const {
    return map_->whyEmpty();
}

std::string CountsStrip::csv() const {
    return map_->csv();
}

void CountsStrip::paintFigure(QCPPainter& painter, const QSize& size) const {
    if (shown_.counts.empty()) return map_->paintFigure(painter, size);
    const QSize strip(size.width(), linesOfStrip * QFontMetrics(painter.font()).height());
    painter.save();
    painter.translate(0, strip.height());
    const QRect frame = map_->paintMap(painter, {size.width(), size.height() - strip.height()});
    painter.restore();
    QCustomPlot printed;
    prepareFigure(printed, painter, strip);
    prepare(printed);
    drawCounts(printed, figurePalette(painter));
    printed.axisRect()->setMargins(marginsAt(frame.left(), frame.width(), strip.width()));
    printed.xAxis->setRange(map_->plot().xAxis->range());
    printed.toPainter(&painter, strip.width(), strip.height());
}

void CountsStrip::setCounts(const StripCounts& counts) {
    if (shown_ == counts) return;
    shown_ = counts;
    place();
    draw();
}

void CountsStrip::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    place();
}

void CountsStrip::place() {
    const int line = fontMetrics().height(), strip = linesOfStrip * line;
    const bool has = !shown_.counts.empty() && height() >= strip + leastLinesOfMap * line;
    plot_->setGeometry(0, 0, width(), strip);
    plot_->setVisible(has);
    map_->setGeometry(rect().adjusted(0, has ? strip : 0, 0, 0));
    if (has) follow();
}

void CountsStrip::draw() {
    plot_->clearPlottables();
    plot_->clearItems();
    if (shown_.counts.empty()) return;
    drawCounts(*plot_, palette());
    plot_->replot(QCustomPlot::rpQueuedReplot);
}

void CountsStrip::drawCounts(QCustomPlot& plot, const QPalette& colours) const {
    const bool dark = isDark(colours);
    applyPalette(plot, colours);
    const auto at = [this](double frame) { return shown_.origin + frame * shown_.step; };
    QVector<double> x, y;
    double low = std::numeric_limits<double>::infinity(), high = -low;
    for (std::size_t t = 0; t < shown_.counts.size(); ++t) {
        x << at(static_cast<double>(t));
        const double counts = shown_.counts[t];
        y << (canBeDrawn(counts) ? counts : std::numeric_limits<double>::quiet_NaN());
        if (std::isnan(y.back())) continue;
        low = std::min(low, y.back());
        high = std::max(high, y.back());
    }
    plot.yAxis->setRange(paddedRange(low, high, false, 0.08));
    QCPGraph* const graph = plot.addGraph();
    graph->setPen(QPen(binColour(shown_.bin, dark), 1.2));
    graph->setData(x, y, true);
    // Within the axes: their left margin is that of the map, which may have no room for a title.
    auto* const title = new QCPItemText(&plot);
    title->setText(tr("I(t)"));
    title->setFont(plot.font());
    title->setColor(colours.color(QPalette::Text));
    QColor ground = colours.color(QPalette::Base);
    ground.setAlpha(200);
    title->setBrush(ground);
    title->setPadding(QMargins(3, 0, 3, 0));
    title->setPositionAlignment(Qt::AlignLeft | Qt::AlignTop);
    title->position->setType(QCPItemPosition::ptAxisRectRatio);
    title->position->setCoords(0, 0);
    QColor shade = binColour(0, dark);
    shade.setAlpha(48);
    for (std::size_t t = 0; t < shown_.leftOut.size();) {
        std::size_t end = t + 1;
        if (shown_.leftOut[t]) {
            while (end < shown_.leftOut.size() && shown_.leftOut[end]) ++end;
            addShadedBand(plot, *plot.axisRect(), at(static_cast<double>(t) - 0.5),
                          at(static_cast<double>(end) - 0.5), shade);
        }
        t = end;
    }
}

void CountsStrip::follow() {
    if (plot_->isHidden()) return;
    const QCustomPlot& map = map_->plot();
    const QRect frame = map.axisRect()->rect();
    const int left = map.mapTo(this, frame.topLeft()).x();
    const QMargins margins = marginsAt(left, frame.width(), plot_->width());
    QCPAxisRect& own = *plot_->axisRect();
    if (own.margins() == margins && plot_->xAxis->range() == map.xAxis->range()) return;
    own.setMargins(margins);
    plot_->xAxis->setRange(map.xAxis->range());
    plot_->replot(QCustomPlot::rpQueuedReplot);
}

QString CountsStrip::describe(double x) const {
    const double frame = std::round((x - shown_.origin) / shown_.step);
    if (!(frame >= 0 && frame < static_cast<double>(shown_.counts.size()))) return {};
    const auto t = static_cast<std::size_t>(frame);
    const QString text = tr("frame %1: %2 counts/px")
                             .arg(std::round(shown_.origin / shown_.step) + frame)
                             .arg(formatNumber(shown_.counts[t]));
    return t < shown_.leftOut.size() && shown_.leftOut[t] ? text + tr(", left out") : text;
}

}  // namespace ks::ui::xpcs
