#include "ui/plots/map_plot.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include <qcustomplot.h>
#include <QResizeEvent>

#include "core/base/error.h"
#include "ui/base/bar_end.h"
#include "ui/base/count_text.h"
#include "ui/base/csv_field.h"
#include "ui/base/layouts.h"
#include "ui/base/palette.h"
#include "ui/base/restyled.h"
#include "ui/plots/axis_ticker.h"
#include "ui/plots/curve_figure.h"
#include "ui/plots/figure_export.h"
#include "ui/plots/plot_text.h"
#include "ui/plots/plot_view.h"

namespace ks::ui {
namespace {

constexpr std::size_t manyValues = std::size_t{1} << 20;  ///< limits are computed from about this many values

QCPColorGradient gradient(const ColourMap& colours, ScaleKind kind) {
    const bool curved = kind == ScaleKind::sqrt || kind == ScaleKind::arcsinh;
    ColourScale unit;
    unit.kind = kind;
    QMap<double, QColor> stops;
    for (int i = 0; i < 256; ++i) {
        const double at = i / 255.0;
        // The axis of the bar is linear: for non-linear scales the colours are moved instead.
        stops.insert(curved ? unit.value(at) : at, QColor(colours.table()[static_cast<std::size_t>(i)]));
    }
    QCPColorGradient gradient;
    gradient.setColorStops(stops);
    gradient.setLevelCount(curved ? 4096 : 256);
    gradient.setNanHandling(QCPColorGradient::nhTransparent);
    return gradient;
}

/// One axis of the map: centre of a cell <-> index.
struct Axis {
    double first, last;
    std::size_t n;

    double step() const { return n > 1 && last != first ? (last - first) / static_cast<double>(n - 1) : 1; }
    double coordinate(double index) const { return (last != first ? first : 0) + index * step(); }
    double index(double coordinate_) const { return (coordinate_ - (last != first ? first : 0)) / step(); }
    QCPRange range() const {
        QCPRange range(coordinate(-0.5), coordinate(static_cast<double>(n) - 0.5));
        range.normalize();
        return range;
    }
};

Axis xAxisOf(const MapData& map) {
    return {map.xFirst, map.xLast, map.columns};
}
Axis yAxisOf(const MapData& map) {
    return {map.yFirst, map.yLast, map.rows};
}
bool hasLogRows(const MapData& map) {
    return !map.rowEdges.empty();
}
QCPRange yRangeOf(const MapData& map) {
    return hasLogRows(map) ? QCPRange(map.rowEdges.front(), map.rowEdges.back()) : yAxisOf(map).range();
}
/// The row at a place of the y axis, from 0 on; negative, or map.rows and more, outside the map.
double rowAt(const MapData& map, double y) {
    if (!hasLogRows(map)) return std::round(yAxisOf(map).index(y));
    return static_cast<double>(std::ranges::upper_bound(map.rowEdges, y) - map.rowEdges.begin()) - 1;
}
double placeOfRow(const MapData& map, std::size_t row) {
    return hasLogRows(map) ? map.rowPlaces[row] : yAxisOf(map).coordinate(static_cast<double>(row));
}

/// The visible cells [first, last), in blocks of `block` that are at least one pixel large.
struct Blocks {
    std::size_t first = 0, last = 0, block = 1;
    std::size_t count() const { return (last - first + block - 1) / block; }
    bool operator==(const Blocks&) const = default;
};

Blocks visibleBlocks(const Axis& axis, const QCPRange& range, int pixels) {
    const double a = axis.index(range.lower), b = axis.index(range.upper);
    const double n = static_cast<double>(axis.n);
    Blocks blocks;
    blocks.first = static_cast<std::size_t>(std::clamp(std::floor(std::min(a, b)) - 1, 0.0, n));
    blocks.last = static_cast<std::size_t>(std::clamp(std::ceil(std::max(a, b)) + 2, 0.0, n));
    if (blocks.last <= blocks.first) return {0, std::min<std::size_t>(axis.n, 1), 1};
    const auto seen = blocks.last - blocks.first;
    while (seen / blocks.block > static_cast<std::size_t>(std::max(pixels, 16))) blocks.block *= 2;
    // Blocks start at multiples of their size, so that they do not flicker while the map is dragged.
    blocks.first -= blocks.first % blocks.block;
    return blocks;
}

/// The visible part of logarithmic rows, in lines of equal height on the axis.
struct LogLines {
    double lower = 0, upper = 0;  ///< logarithms
    std::size_t count = 0;
    double edge(std::size_t line) const {
        return std::exp(lower + (upper - lower) * static_cast<double>(line) / static_cast<double>(count));
    }
    double centre(std::size_t line) const {
        return std::exp(lower +
                        (upper - lower) * (static_cast<double>(line) + 0.5) / static_cast<double>(count));
    }
    bool operator==(const LogLines&) const = default;
};

LogLines visibleLines(const MapData& map, const QCPRange& range, int pixels) {
    const QCPRange all = yRangeOf(map);
    const double lower = std::max(range.lower, all.lower), upper = std::min(range.upper, all.upper);
    if (!(lower < upper)) return {std::log(all.lower), std::log(all.upper), 1};
    return {std::log(lower), std::log(upper), static_cast<std::size_t>(std::max(pixels, 16))};
}

/// The rows that a line shows: the one in its middle, or all between its edges if they are thinner.
Blocks rowsOfLine(const MapData& map, const LogLines& lines, std::size_t line) {
    const auto row = [&map](double y) {
        return static_cast<std::size_t>(std::clamp(rowAt(map, y), 0.0, static_cast<double>(map.rows - 1)));
    };
    const std::size_t first = row(lines.edge(line)), last = row(lines.edge(line + 1)),
                      middle = row(lines.centre(line));
    return last > first + 1 ? Blocks{first, last, last - first} : Blocks{middle, middle + 1, 1};
}

/// The mean of the values of a block.
double pooled(const MapData& map, const Blocks& x, const Blocks& y, std::size_t column, std::size_t row) {
    const std::size_t c0 = x.first + column * x.block, r0 = y.first + row * y.block;
    double sum = 0;
    std::size_t n = 0;
    for (std::size_t r = r0; r < std::min(r0 + y.block, map.rows); ++r) {
        for (std::size_t c = c0; c < std::min(c0 + x.block, map.columns); ++c) {
            const double value = map.values[r * map.columns + c];
            if (!canBeDrawn(value)) continue;
            sum += value;
            ++n;
        }
    }
    if (n == 0) return std::numeric_limits<double>::quiet_NaN();
    return sum / static_cast<double>(n);
}

}  // namespace

/// Pointed ends of a bar beyond whose limits there are values.
class BarEnds : public QCPLayerable {
  public:
    BarEnds(QCustomPlot* plot, const QCPColorScale& bar) : QCPLayerable(plot, "axes"), bar_(bar) {}
    void set(const BeyondLimits& beyond, const ColourMap& colours, const QColor& line) {
        beyond_ = beyond;
        first_ = colours.table().front();
        last_ = colours.table().back();
        line_ = line;
    }

  protected:
    void applyDefaultAntialiasingHint(QCPPainter* /*painter*/) const override {}
    void draw(QCPPainter* painter) override {
        if (!bar_.visible()) return;
        const QRectF bar = bar_.axis()->axisRect()->rect();
        if (beyond_.above) paintBarEnd(*painter, {bar.topLeft(), bar.topRight()}, length, last_, line_);
        if (beyond_.below)
            paintBarEnd(*painter, {bar.bottomLeft(), bar.bottomRight()}, -length, first_, line_);
    }

  private:
    static constexpr double length = 9;
    const QCPColorScale& bar_;
    BeyondLimits beyond_;
    QRgb first_ = 0, last_ = 0;
    QColor line_;
};

/// The objects of one QCustomPlot that show the map.
struct MapPlot::Parts {
    QCustomPlot* plot = nullptr;
    QCPColorMap* colours = nullptr;
    QCPColorScale* bar = nullptr;
    BarEnds* ends = nullptr;  ///< owned by the plot
    ElidedTitle* title = nullptr;
    std::vector<QCPAbstractItem*> lines = {};  ///< owned by the plot
    QCPItemText* empty = nullptr;
    Blocks x, y;
    LogLines logLines;      ///< in the place of y for logarithmic rows
    double resolution = 1;  ///< pixels per unit of the plot
    bool stale = true;
};

MapPlot::MapPlot(QWidget* parent)
    : QWidget(parent),
      plot_(new QCustomPlot(this)),
      view_(new PlotView(*plot_, *this, [this] { showAll(); })),
      parts_(std::make_unique<Parts>()) {
    parts_->plot = plot_;
    plot_->setInteractions(QCP::iRangeDrag | QCP::iRangeZoom);
    plot_->setNoAntialiasingOnDrag(true);
    plot_->setAccessibleName(tr("Map"));
    plot_->setMinimumSize(80, 80);
    setLayout(inRows({plot_}));
    connect(plot_, &QCustomPlot::beforeReplot, this, [this] {
        parts_->resolution = devicePixelRatioF();
        pool(*parts_);
    });
    new HoverText(
        *plot_,
        [this](const QPointF& at) {
            if (plot_->axisRect()->rect().contains(at.toPoint()))
                return describe(plot_->xAxis->pixelToCoord(at.x()), plot_->yAxis->pixelToCoord(at.y()));
            const bool onBar = parts_->bar->visible() && parts_->bar->outerRect().contains(at.toPoint());
            return onBar ? beyond_.text() : QString();
        },
        [this](const QString& text) { emit pointHovered(text); });
    watchDrags();
    // Titles and labels change the margins, and the plot is resized after this widget.
    connect(plot_, &QCustomPlot::afterLayout, this, [this] {
        if (view_->byHand() || !square_ || map_.values.empty()) return;
        keepSquare(*plot_);
        layOut(*plot_);
        pool(*parts_);
    });
    wanted_.percentile = 99.5;
    build(*parts_, palette());
    new Restyled(this, Restyled::By::paletteOrFont, [this] { refresh(); });
}

MapPlot::~MapPlot() = default;

void MapPlot::setMap(MapData map) {
    if (map.values.size() != map.rows * map.columns) {
        throw Error(ErrorKind::run, "a map of " + std::to_string(map.rows) + " x " +
                                        std::to_string(map.columns) +
                                        " cells needs one value per cell, found " +
                                        std::to_string(map.values.size()) + " values");
    }
    if (!map.rowEdges.empty() && (map.rowEdges.size() != map.rows + 1 || map.rowPlaces.size() != map.rows))
        throw Error(ErrorKind::run,
                    "a map of " + std::to_string(map.rows) +
                        " logarithmic rows needs one more edge and one place per row, found " +
                        std::to_string(map.rowEdges.size()) + " and " + std::to_string(map.rowPlaces.size()));
    const bool same = map.rows == map_.rows && map.columns == map_.columns && map.xFirst == map_.xFirst &&
                      map.xLast == map_.xLast && map.yFirst == map_.yFirst && map.yLast == map_.yLast &&
                      map.rowEdges == map_.rowEdges;
    map_ = std::move(map);
    const double none = std::numeric_limits<double>::quiet_NaN();
    smallest_ = largest_ = none;
    Undrawn counted;
    for (const double value : map_.values) {
        // The cells of a map may be fewer than its rows and columns: the others are NaN.
        if (!std::isnan(value)) counted.add(value);
        if (!canBeDrawn(value)) continue;
        smallest_ = std::fmin(smallest_, value);
        largest_ = std::fmax(largest_, value);
    }
    undrawn_ = counted.text();
    setColourScale(wanted_);
    if (!same || !view_->byHand()) resetZoom();
}

void MapPlot::setXAxis(const QString& title, const QString& unit) {
    xTitle_ = titleWithUnit(title, unit);
    refresh();
}

void MapPlot::setYAxis(const QString& title, const QString& unit) {
    yTitle_ = titleWithUnit(title, unit);
    refresh();
}

void MapPlot::setValueAxis(const QString& title, const QString& unit) {
    valueTitle_ = titleWithUnit(title, unit);
    refresh();
}

void MapPlot::setTitle(const QString& title, const QString& note) {
    title_ = title;
    titleNote_ = note;
    refresh();
}

QString MapPlot::titleNote() const {
    return joinedTexts({titleNote_, undrawn_}, QStringLiteral(", "));
}

void MapPlot::setColourMap(const ColourMap& map) {
    colours_ = map;
    refresh();
}

void MapPlot::setColourScale(const ColourScale& scale) {
    wanted_ = scale;
    std::vector<double> values;
    std::size_t stride = map_.values.size() / manyValues + 1;
    if (stride > 1) stride |= 1;
    for (std::size_t i = 0; wanted_.automatic && i < map_.values.size(); i += stride)
        if (canBeDrawn(map_.values[i])) values.push_back(map_.values[i]);
    scale_ = wanted_.fitted(std::move(values));
    beyond_ = scale_.beyond(smallest_, largest_);
    parts_->stale = true;
    refresh();
}

void MapPlot::setSquare(bool square) {
    square_ = square;
    resetZoom();
}

void MapPlot::setRowsDown(bool down) {
    rowsDown_ = down;
    refresh();
}

void MapPlot::setEmptyText(const QString& text) {
    emptyText_ = text;
    refresh();
}

void MapPlot::setPointTool(bool on) {
    pointTool_ = on;
    draggedFrom_.reset();
    plot_->setInteraction(QCP::iRangeDrag, !on);
}

void MapPlot::watchDrags() {
    const auto place = [this](const QMouseEvent* event) {
        return QPointF(plot_->xAxis->pixelToCoord(event->position().x()),
                       plot_->yAxis->pixelToCoord(event->position().y()));
    };
    connect(plot_, &QCustomPlot::mousePress, this, [this, place](const QMouseEvent* event) {
        const bool inside = plot_->axisRect()->rect().contains(event->pos());
        if (!pointTool_ || event->button() != Qt::LeftButton || !inside || map_.values.empty()) return;
        draggedFrom_ = place(event);
        emit pointDragged(*draggedFrom_, *draggedFrom_, false);
    });
    connect(plot_, &QCustomPlot::mouseMove, this, [this, place](const QMouseEvent* event) {
        if (draggedFrom_) emit pointDragged(*draggedFrom_, place(event), false);
    });
    connect(plot_, &QCustomPlot::mouseRelease, this, [this, place](const QMouseEvent* event) {
        if (const auto from = std::exchange(draggedFrom_, std::nullopt))
            emit pointDragged(*from, place(event), true);
    });
}

void MapPlot::setLines(const QVector<QLineF>& lines) {
    if (lines_ == lines) return;
    lines_ = lines;
    refresh();
}

void MapPlot::showLines(Parts& parts) const {
    for (QCPAbstractItem* const one : parts.lines) parts.plot->removeItem(one);
    parts.lines.clear();
    // Dark below light can be seen on every colour of a map.
    for (const auto& [colour, width] : {std::pair(QColor(0, 0, 0, 160), 3.0), {QColor(Qt::white), 1.0}})
        for (const QLineF& line : lines_) {
            auto* item = new QCPItemLine(parts.plot);
            item->setPen(QPen(colour, width));
            item->setSelectable(false);
            item->start->setCoords(line.p1());
            item->end->setCoords(line.p2());
            parts.lines.push_back(item);
        }
}

void MapPlot::make(Parts& parts, const QPalette& palette) const {
    QCustomPlot& plot = *parts.plot;
    plot.axisRect()->setupFullAxesBox(true);
    for (QCPAxis* axis : {plot.xAxis2, plot.yAxis2}) {
        axis->setTicks(false);
        axis->setTickLabels(false);
    }
    plot.axisRect()->setMinimumMargins(QMargins(8, 10, 8, 4));
    parts.colours = new QCPColorMap(plot.xAxis, plot.yAxis);
    parts.colours->setInterpolate(false);
    parts.colours->setTightBoundary(false);
    parts.bar = new QCPColorScale(&plot);
    parts.bar->setType(QCPAxis::atRight);
    parts.bar->setBarWidth(14);
    parts.bar->setRangeDrag(false);
    parts.bar->setRangeZoom(false);
    plot.plotLayout()->addElement(0, 1, parts.bar);
    auto* margins = new QCPMarginGroup(&plot);
    for (QCPLayoutElement* element : std::initializer_list<QCPLayoutElement*>{plot.axisRect(), parts.bar})
        element->setMarginGroup(QCP::msTop | QCP::msBottom, margins);
    parts.bar->setMargins(QMargins(0, 0, 8, 0));
    keepTicksApart(plot, {parts.bar->axis()});
    parts.ends = new BarEnds(&plot, *parts.bar);
    parts.empty = new WrappedText(plot, emptyText_, palette);
}

void MapPlot::build(Parts& parts, const QPalette& palette) const {
    QCustomPlot& plot = *parts.plot;
    if (!parts.colours) make(parts, palette);
    const QString note = titleNote();
    if (!(title_.isEmpty() && note.isEmpty()) && !parts.title) {
        plot.plotLayout()->insertRow(0);
        parts.title = new ElidedTitle(plot);
        plot.plotLayout()->addElement(0, 0, parts.title);
    }
    if (parts.title) {
        parts.title->setText(title_.isEmpty() ? note : title_);
        parts.title->setNote(title_.isEmpty() ? QString() : note);
        parts.title->setFont(plot.font());
        parts.title->setTextColor(palette.color(QPalette::Text));
    }
    setLogarithmic(*plot.xAxis, false);
    setLogarithmic(*plot.yAxis, hasLogRows(map_));
    plot.yAxis->setRangeReversed(rowsDown_);
    plot.xAxis->setLabel(xTitle_);
    plot.yAxis->setLabel(yTitle_);
    applyPalette(plot, palette);
    // The map would cover the grid anyway, and in transparent parts the grid would only distract.
    plot.xAxis->grid()->setVisible(false);
    plot.yAxis->grid()->setVisible(false);
    showColours(parts, palette);
    showLines(parts);
    // Axes without a map would only clutter the hint.
    const bool hint = map_.values.empty() && !emptyText_.isEmpty();
    for (QCPAxis* one : plot.axisRect()->axes()) one->setVisible(!hint);
    parts.empty->setVisible(hint);
    parts.empty->setText(emptyText_);
    parts.empty->setFont(plot.font());
    parts.empty->setColor(mixed(palette.color(QPalette::Text), palette.color(QPalette::Base), 0.7));
}

void MapPlot::showColours(Parts& parts, const QPalette& palette) const {
    const bool log = scale_.kind == ScaleKind::log;
    parts.bar->setDataScaleType(log ? QCPAxis::stLogarithmic : QCPAxis::stLinear);
    setLogarithmic(*parts.bar->axis(), log);
    parts.colours->setDataScaleType(log ? QCPAxis::stLogarithmic : QCPAxis::stLinear);
    parts.colours->setColorScale(parts.bar);
    parts.colours->setGradient(gradient(colours_, scale_.kind));
    parts.colours->setDataRange(QCPRange(log ? scale_.logFloor() : scale_.low, scale_.high));
    QCPAxis& axis = *parts.bar->axis();
    const QColor text = palette.color(QPalette::Text),
                 line = mixed(text, palette.color(QPalette::Base), 0.55);
    axis.setBasePen(QPen(line, 1));
    axis.setTickPen(QPen(line, 1));
    axis.setSubTickPen(QPen(line, 1));
    axis.setTickLabelColor(text);
    axis.setLabelColor(text);
    axis.setTickLabelFont(parts.plot->font());
    axis.setLabelFont(parts.plot->font());
    parts.bar->setLabel(valueTitle_);
    parts.bar->setVisible(!map_.values.empty());
    parts.ends->set(beyond_, colours_, line);
}

void MapPlot::pool(Parts& parts) const {
    if (map_.values.empty()) {
        parts.colours->data()->clear();
        return;
    }
    const Axis xs = xAxisOf(map_), ys = yAxisOf(map_);
    const QRect area = parts.plot->axisRect()->rect();
    const auto pixels = [&parts](int length) { return static_cast<int>(length * parts.resolution); };
    const bool logRows = hasLogRows(map_);
    const Blocks x = visibleBlocks(xs, parts.plot->xAxis->range(), pixels(area.width()));
    const Blocks y =
        logRows ? Blocks() : visibleBlocks(ys, parts.plot->yAxis->range(), pixels(area.height()));
    const LogLines lines =
        logRows ? visibleLines(map_, parts.plot->yAxis->range(), pixels(area.height())) : LogLines();
    if (!parts.stale && x == parts.x && y == parts.y && lines == parts.logLines) return;
    parts.x = x;
    parts.y = y;
    parts.logLines = lines;
    parts.stale = false;
    auto* cells = parts.colours->data();
    const std::size_t rows = logRows ? lines.count : y.count();
    cells->setSize(static_cast<int>(x.count()), static_cast<int>(rows));
    // QCPColorMap expects the centres of the outer cells, but the edges of a single one.
    const auto centres = [](const Axis& axis, const Blocks& blocks) {
        const auto from = static_cast<double>(blocks.first), block = static_cast<double>(blocks.block);
        if (blocks.count() == 1)
            return QCPRange(axis.coordinate(from - 0.5), axis.coordinate(from + block - 0.5));
        const double half = (block - 1) / 2;
        const double last = static_cast<double>(blocks.first + (blocks.count() - 1) * blocks.block);
        return QCPRange(axis.coordinate(from + half), axis.coordinate(last + half));
    };
    // It places cells evenly on the screen, whatever the scale of the axis.
    const auto centresOfLines = [&lines] {
        if (lines.count == 1) return QCPRange(lines.edge(0), lines.edge(1));
        return QCPRange(lines.centre(0), lines.centre(lines.count - 1));
    };
    cells->setRange(centres(xs, x), logRows ? centresOfLines() : centres(ys, y));
    for (std::size_t r = 0; r < rows; ++r) {
        const Blocks of = logRows ? rowsOfLine(map_, lines, r) : y;
        for (std::size_t c = 0; c < x.count(); ++c)
            cells->setCell(static_cast<int>(c), static_cast<int>(r), pooled(map_, x, of, c, logRows ? 0 : r));
    }
}

void MapPlot::refresh() {
    view_->change([this] { build(*parts_, palette()); });
    plot_->replot(QCustomPlot::rpQueuedReplot);
}

void MapPlot::resetZoom() {
    view_->fit();
}

void MapPlot::showAll() {
    if (!map_.values.empty()) {
        plot_->xAxis->setRange(xAxisOf(map_).range());
        plot_->yAxis->setRange(yRangeOf(map_));
        keepSquare(*plot_);
    }
    plot_->replot(QCustomPlot::rpQueuedReplot);
}

void MapPlot::keepSquare(QCustomPlot& plot) const {
    QCPAxisRect& frame = *plot.axisRect();
    if (!square_) frame.setMaximumSize(QWIDGETSIZE_MAX, QWIDGETSIZE_MAX);
    if (!square_ || map_.values.empty()) return;
    // The axis rectangle shrinks to the aspect ratio of the map. Its sizes are known only after a layout.
    frame.setSizeConstraintRect(QCPLayoutElement::scrInnerRect);
    frame.setMaximumSize(QWIDGETSIZE_MAX, QWIDGETSIZE_MAX);
    layOut(plot);
    for (QCPAxis* axis : {plot.xAxis, plot.yAxis}) fitTicks(*axis);
    layOut(plot);
    const QRect area = frame.rect();
    if (area.width() < 2 || area.height() < 2) return;
    const double width = plot.xAxis->range().size(), height = plot.yAxis->range().size();
    const double pixels = std::min(area.width() / width, area.height() / height);
    frame.setMaximumSize(static_cast<int>(pixels * width), static_cast<int>(pixels * height));
}

QString MapPlot::describe(double x, double y) const {
    const Axis xs = xAxisOf(map_);
    const double column = std::round(xs.index(x)), row = rowAt(map_, y);
    if (column < 0 || row < 0 || column >= static_cast<double>(map_.columns) ||
        row >= static_cast<double>(map_.rows)) {
        return {};
    }
    const std::size_t pixel = static_cast<std::size_t>(row) * map_.columns + static_cast<std::size_t>(column);
    const QString text = QStringLiteral("%1 %2, %3 %4: %5")
                             .arg(xTitle_, formatNumber(xs.coordinate(column)), yTitle_,
                                  formatNumber(placeOfRow(map_, static_cast<std::size_t>(row))),
                                  formatNumber(map_.values[pixel]));
    const QString further = pixelText_ ? pixelText_(pixel) : QString();
    return further.isEmpty() ? text : text + QLatin1Char('\n') + further;
}

void MapPlot::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    layout()->activate();
    keepSquare(*plot_);
    plot_->replot(QCustomPlot::rpQueuedReplot);
}

QRect MapPlot::paintMap(QCPPainter& painter, const QSize& size) const {
    QCustomPlot printed;
    prepareFigure(printed, painter, size);
    Parts parts;
    parts.plot = &printed;
    parts.resolution = figureResolution(painter);
    build(parts, figurePalette(painter));
    printed.xAxis->setRange(plot_->xAxis->range());
    printed.yAxis->setRange(plot_->yAxis->range());
    keepSquare(printed);
    printed.replot(QCustomPlot::rpImmediateRefresh);
    pool(parts);
    printed.toPainter(&painter, size.width(), size.height());
    return printed.axisRect()->rect();
}

std::string MapPlot::csv() const {
    const Axis xs = xAxisOf(map_);
    std::string text = "y\\x";
    for (std::size_t c = 0; c < map_.columns; ++c)
        text += ',' + csvNumber(xs.coordinate(static_cast<double>(c)));
    text += '\n';
    for (std::size_t r = 0; r < map_.rows; ++r) {
        text += csvNumber(placeOfRow(map_, r));
        for (std::size_t c = 0; c < map_.columns; ++c)
            text += ',' + csvNumber(map_.values[r * map_.columns + c]);
        text += '\n';
    }
    return text;
}

}  // namespace ks::ui
