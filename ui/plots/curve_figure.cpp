#include "ui/plots/curve_figure.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>
#include <vector>

#include <QToolTip>

#include "ui/base/count_text.h"
#include "ui/base/palette.h"
#include "ui/plots/axis_ticker.h"
#include "ui/plots/crowd/curve_crowd.h"
#include "ui/plots/curve_graph.h"
#include "ui/plots/curve_legend.h"
#include "ui/plots/plot_text.h"
#include "ui/plots/shaded_band.h"

namespace ks::ui {
namespace {

constexpr qsizetype manyPoints = 150;  ///< of a curve above which its markers are smaller
constexpr qsizetype crowd = 4000;      ///< visible points above which curves have no markers
constexpr double hoverDistance = 14;   ///< pixels
constexpr double clickDistance = 4;    ///< pixels that the mouse may move between press and release
constexpr double largestMarker = 5, smallestMarker = 2.5;
constexpr double markerOfFont = 0.38;  ///< share of an export's font size

constexpr QCPScatterStyle::ScatterShape shapes[] = {QCPScatterStyle::ssDisc, QCPScatterStyle::ssSquare,
                                                    QCPScatterStyle::ssTriangle, QCPScatterStyle::ssDiamond,
                                                    QCPScatterStyle::ssTriangleInverted};

constexpr double usualResiduals = 0.98;  ///< share of residuals that the axis shows
constexpr double leastResidual = 2.5;

// With its titles and numbers, so that they are not cut in a low part of a window.
constexpr int leastHeight = 60;
constexpr QSize leastAxes(30, 8);
constexpr double leastLines = 2.7;  ///< height of each panel of an exported figure that has two
constexpr QMargins notePadding(6, 1, 6, 1);
constexpr double noteBesideLegend = 0.6;  ///< share of the width
constexpr int noteShare = 4;              ///< of the height: a quarter
constexpr int mostNoteLines = 4;

int halfLine(const QWidget& plot) {
    return plot.fontMetrics().height() / 2 + 1;
}

/// Whether all values are whole numbers below 2^51. Without a branch per value, so that it is vectorised.
bool areWhole(const double* from, const double* to) {
    constexpr double rounding = 6755399441055744.0;  // 1.5 * 2^52: adding it drops the fraction
    int fractions = 0;
    for (const double* at = from; at != to; ++at)
        fractions |= static_cast<int>((*at + rounding) - rounding != *at);
    return fractions == 0;
}

bool areWhole(const QVector<double>& values) {
    constexpr qsizetype block = 4096;
    const double *at = values.constData(), *const end = at + values.size();
    for (; end - at > block; at += block)
        if (!areWhole(at, at + block)) return false;
    return areWhole(at, end);
}

/// Values that cannot be drawn become NaN; without such a value, nothing is copied.
void leaveGaps(QVector<double>& values, bool logarithmic) {
    const auto isBeyond = [logarithmic](double value) {
        return !std::isnan(value) && !canBeDrawn(value, logarithmic);
    };
    if (std::ranges::any_of(std::as_const(values), isBeyond))
        std::ranges::replace_if(values, isBeyond, std::numeric_limits<double>::quiet_NaN());
}

/// Range of an axis including its border; empty if no value can be drawn.
class Extent {
  public:
    void add(double value, bool logarithmic) {
        if (!canBeDrawn(value, logarithmic)) return;
        low_ = std::min(low_, value);
        high_ = std::max(high_, value);
    }
    QCPRange padded(bool logarithmic, double share) const {
        return paddedRange(low_, high_, logarithmic, share);
    }

  private:
    double low_ = std::numeric_limits<double>::infinity();
    double high_ = -std::numeric_limits<double>::infinity();
};

}  // namespace

CurveFigure::CurveFigure(QWidget* parent) : QCustomPlot(parent), main_(axisRect()) {
    margins_ = new QCPMarginGroup(this);
    setInteractions(QCP::iRangeDrag | QCP::iRangeZoom);
    setNoAntialiasingOnDrag(true);
    setAutoAddPlottableToLegend(false);
    setMinimumSize(80, leastHeight);
    main_->setMinimumSize(leastAxes);
    main_->setMarginGroup(QCP::msLeft | QCP::msRight, margins_);
    main_->setMinimumMargins(QMargins(8, 10, 14, 4));
    main_->setupFullAxesBox(true);
    for (QCPAxis* axis : {xAxis2, yAxis2}) {
        axis->setTicks(false);
        axis->setTickLabels(false);
    }
    keepTicksApart(*this);
    keepTitlesInside(*this);
    // Whatever follows the cursor is redrawn without the curves.
    layer(QStringLiteral("overlay"))->setMode(QCPLayer::lmBuffered);
    connect(this, &QCustomPlot::beforeReplot, this, &CurveFigure::thinOut);
}

void CurveFigure::thinOut() {
    QVector<CurveGraph*> curves;
    qsizetype visible = 0;
    for (int i = 0; i < graphCount(); ++i)
        if (auto* curve = qobject_cast<CurveGraph*>(graph(i))) {
            curves << curve;
            visible += curve->visiblePoints();
        }
    for (CurveGraph* curve : curves) curve->setCrowded(visible > crowd && !printed_);
}

void CurveFigure::setPanels(bool difference) {
    if (difference == (below_ != nullptr)) return;
    if (!difference) {
        plotLayout()->remove(below_);
        plotLayout()->simplify();
        below_ = nullptr;
        return;
    }
    below_ = new QCPAxisRect(this);
    below_->setMinimumSize(leastAxes);
    below_->setupFullAxesBox(true);
    for (QCPAxis::AxisType side : {QCPAxis::atTop, QCPAxis::atRight}) {
        below_->axis(side)->setTicks(false);
        below_->axis(side)->setTickLabels(false);
    }
    for (QCPAxis* axis : below_->axes()) {
        axis->setLayer(QStringLiteral("axes"));
        axis->grid()->setLayer(QStringLiteral("grid"));
    }
    plotLayout()->addElement(1, 0, below_);
    plotLayout()->setRowStretchFactor(0, 3);
    plotLayout()->setRowStretchFactor(1, 1.3);
    plotLayout()->setRowSpacing(0);
    below_->setMarginGroup(QCP::msLeft | QCP::msRight, margins_);
    // The lowest label of the upper panel and the highest of this one each extend half a line
    // beyond the edge.
    const int half = halfLine(*this);
    below_->setMinimumMargins(QMargins(8, half, 14, 4));
    QCPAxis* x = below_->axis(QCPAxis::atBottom);
    const auto follow = qOverload<const QCPRange&>(&QCPAxis::rangeChanged);
    const auto set = qOverload<const QCPRange&>(&QCPAxis::setRange);
    connect(xAxis, follow, x, set);
    connect(x, follow, xAxis, set);
}

void CurveFigure::present(const CurveContent& content, const QPalette& palette, bool keepZoom,
                          FigureLegend kind) {
    content_ = content;
    fits_ = content_.fits();
    undrawn_ = joinedTexts({content_.undrawn(), content_.limited}, QStringLiteral("\n"));
    runs_ = content_.runs();
    printed_ = kind != FigureLegend::elsewhere;
    if (printed_) content_.pickedBin.reset();
    dark_ = isDark(palette);
    markerSize_ = kind == FigureLegend::elsewhere ? largestMarker
                                                  : std::clamp(markerOfFont * QFontInfo(font()).pixelSize(),
                                                               smallestMarker, largestMarker);
    const bool insideLegend = kind == FigureLegend::inside;
    clearItems();
    clearPlottables();
    for (const QPointer<CurveCrowd>& one : crowds_) delete one;
    crowds_.clear();
    differences_ = content_.difference ? content_.differences() : QVector<CurveSeries>();
    setPanels(!differences_.isEmpty());
    setAxes();
    applyPalette(*this, palette);
    addBands(palette);
    addCrowds();
    curves_ = addCurves(*main_, content_.series);
    for (const CurveSeries& curve : content_.series)
        if (content_.shows(curve) && curve.leftOut.contains(true)) addHollow(curve);
    if (below_) addCurves(*below_, differences_);
    if (insideLegend) addLegend(palette.color(QPalette::Text));
    legend->setVisible(insideLegend && legend->itemCount() > 0);
    addTracer(palette.color(QPalette::Text));
    addNote(palette);
    // Axes without curves would only clutter the hint.
    const bool hint = content_.hints();
    for (QCPAxis* axis : main_->axes()) {
        axis->setVisible(!hint);
        axis->grid()->setVisible(!hint && (axis == xAxis || axis == yAxis));
    }
    if (hint) empty_ = new WrappedText(*this, content_.emptyText, palette);
    if (keepZoom)
        replot(rpQueuedReplot);
    else
        resetZoom();
    hoverAgain();
}

void CurveFigure::addCrowds() {
    if (printed_) return;
    for (QCPAxisRect* const rect : {main_, below_})
        for (const char* const name : {"grid", "main"})
            if (rect) crowds_.emplace_back(new CurveCrowd(*rect, *layer(QLatin1String(name))));
}

void CurveFigure::setAxes() {
    QCPAxis* lowest = below_ ? below_->axis(QCPAxis::atBottom) : xAxis;
    const bool whole =
        std::ranges::all_of(content_.series, [](const CurveSeries& curve) { return areWhole(curve.x); });
    for (QCPAxis* axis : {xAxis, lowest}) setLogarithmic(*axis, content_.logX, whole);
    for (QCPAxis* axis : {xAxis2, yAxis2})
        axis->setScaleType(axis == xAxis2 ? xAxis->scaleType() : QCPAxis::stLinear);
    setLogarithmic(*yAxis, content_.logY);
    xAxis->setTickLabels(!below_);
    setTitle(*xAxis, below_ ? QString() : titleWithUnit(content_.xTitle, content_.xUnit));
    setTitle(*lowest, titleWithUnit(content_.xTitle, content_.xUnit));
    setTitle(*yAxis, titleWithUnit(content_.yTitle, content_.yUnit));
    if (!below_) return;
    QCPAxis* y = below_->axis(QCPAxis::atLeft);
    setLogarithmic(*y, false);
    setTitle(*y, content_.differenceTitle(), content_.briefDifferenceTitle());
}

int CurveFigure::addCurves(QCPAxisRect& rect, const QVector<CurveSeries>& curves) {
    int shown = 0;
    for (const CurveSeries& curve : curves) {
        if (!content_.shows(curve)) continue;
        addCurve(rect, curve);
        ++shown;
    }
    return shown;
}

void CurveFigure::addTracer(const QColor& colour) {
    tracer_ = new QCPItemTracer(this);
    tracer_->setStyle(QCPItemTracer::tsCircle);
    tracer_->setSize(11);
    tracer_->setPen(QPen(colour, 1.5));
    tracer_->setVisible(false);
    tracer_->setLayer(QStringLiteral("overlay"));
}

void CurveFigure::setNote(const QString& note, const QString& brief, const QPalette& palette) {
    if (content_.note == note && content_.briefNote == brief) return;
    content_.note = note;
    content_.briefNote = brief;
    addNote(palette);
    replot(rpQueuedReplot);
}

void CurveFigure::addNote(const QPalette& palette) {
    if (note_) removeItem(note_);
    if (!content_.note.isEmpty() || !undrawn_.isEmpty()) {
        // Above the frame, where there are no curves.
        note_ = new QCPItemText(this);
        note_->setClipToAxisRect(false);
        note_->position->setType(QCPItemPosition::ptAxisRectRatio);
        note_->position->setCoords(1, 0);
        note_->setPositionAlignment(Qt::AlignRight | Qt::AlignBottom);
        note_->setTextAlignment(Qt::AlignRight);
        note_->setFont(font());
        note_->setPadding(notePadding);
        note_->setColor(palette.color(QPalette::HighlightedText));
        note_->setBrush(palette.color(QPalette::Highlight));
    }
    placeNote(viewport().size());
}

void CurveFigure::placeNote(const QSize& size) {
    constexpr int above = 10;
    const int width = size.width();
    wholeNote_.clear();
    QMargins margins(8, above, 14, below_ ? halfLine(*this) : 4);
    if (note_) {
        const bool beside = plotLayout()->columnCount() > 1;
        const int room = beside ? static_cast<int>(width * noteBesideLegend) : width - margins.right();
        const QString between = QStringLiteral("\n"), whole = joinedTexts({content_.note, undrawn_}, between),
                      drawn = content_.briefNote.isEmpty()
                                  ? whole
                                  : joinedTexts({content_.briefNote, undrawn_}, between);
        // The curves keep most of the height.
        const int most = std::clamp(size.height() / noteShare / fontMetrics().height(), 1, mostNoteLines);
        const QString text =
            firstLines(drawn, fontMetrics(), room - notePadding.left() - notePadding.right(), most);
        note_->setText(text);
        if (text.simplified() != whole.simplified()) wholeNote_ = whole;
        const auto count = static_cast<int>(text.count(QLatin1Char('\n'))) + 1;
        margins.setTop(count * fontMetrics().height() + notePadding.top() + notePadding.bottom() + 2);
    }
    main_->setMinimumMargins(margins);
}

void CurveFigure::resizeEvent(QResizeEvent* event) {
    placeNote(event->size());
    QCustomPlot::resizeEvent(event);
}

QRectF CurveFigure::noteRect() const {
    return note_ ? QRectF(note_->topLeft->pixelPosition(), note_->bottomRight->pixelPosition()) : QRectF();
}

void CurveFigure::addBands(const QPalette& palette) {
    if (content_.hints()) return;
    for (const CurveBand& band : content_.bands) {
        if (content_.logX && band.to <= 0) continue;
        QColor colour = binColour(band.bin, dark_);
        colour.setAlpha(48);
        // A log axis has no 0: the first band then starts left of the visible range.
        addShadedBand(*this, *main_, content_.logX && band.from <= 0 ? 1e-12 : band.from, band.to, colour);
    }
    QColor line = palette.color(QPalette::Text);
    line.setAlpha(140);
    for (const double edge : content_.edges()) {
        if (content_.logX && edge <= 0) continue;
        auto* straight = new QCPItemStraightLine(this);
        straight->setPen(QPen(line, 1));
        straight->point1->setCoords(edge, 0);
        straight->point2->setTypeX(QCPItemPosition::ptPlotCoords);
        straight->point1->setTypeY(QCPItemPosition::ptAxisRectRatio);
        straight->point2->setTypeY(QCPItemPosition::ptAxisRectRatio);
        straight->point2->setCoords(edge, 1);
    }
}

std::optional<int> CurveFigure::edgeAt(const QPointF& cursor) const {
    constexpr double reach = 5;  // pixels
    if (content_.hints() || !main_->rect().contains(cursor.toPoint())) return std::nullopt;
    std::optional<int> found;
    double best = reach;
    const QVector<double> all = content_.edges();
    for (int i = 0; i < all.size(); ++i) {
        const double distance = std::abs(xAxis->coordToPixel(all[i]) - cursor.x());
        if (distance > best) continue;
        best = distance;
        found = i;
    }
    return found;
}

void CurveFigure::mousePressEvent(QMouseEvent* event) {
    pressed_.reset();
    if (event->button() == Qt::LeftButton) {
        draggedEdge_ = edgeAt(event->position());
        if (!draggedEdge_ && rangeTool_ && !content_.hints() &&
            main_->rect().contains(event->position().toPoint())) {
            rangeFrom_ = xAxis->pixelToCoord(event->position().x());
            emit rangeDragged(*rangeFrom_, *rangeFrom_, false);
            return;
        }
        if (!draggedEdge_) pressed_ = event->position();
    }
    if (!draggedEdge_) QCustomPlot::mousePressEvent(event);
}

void CurveFigure::mouseReleaseEvent(QMouseEvent* event) {
    if (const std::optional<double> from = std::exchange(rangeFrom_, std::nullopt)) {
        emit rangeDragged(*from, xAxis->pixelToCoord(event->position().x()), true);
        return;
    }
    if (!draggedEdge_) {
        QCustomPlot::mouseReleaseEvent(event);
        const std::optional<QPointF> from = std::exchange(pressed_, std::nullopt);
        if (!from || event->button() != Qt::LeftButton ||
            (*from - event->position()).manhattanLength() >= clickDistance)
            return;
        if (const std::optional<Point> at = pointAt(event->position());
            at && content_.series[at->curve].style != CurveStyle::line)
            emit pointClicked(at->curve, at->point, event->modifiers());
        return;
    }
    const int edge = *std::exchange(draggedEdge_, std::nullopt);
    emit edgeDragged(edge, xAxis->pixelToCoord(event->position().x()), true);
}

QColor CurveFigure::colourOf(const CurveSeries& curve) const {
    const QColor own =
        curve.hue ? runColour(*curve.hue, dark_) : binColour(curve.foreign ? 0 : curve.bin, dark_);
    const QColor colour = curve.colour.value_or(own);
    // The line of a fit stands out from its points.
    return fits_.has(curve) ? mixed(colour, dark_ ? Qt::white : Qt::black, 0.55) : colour;
}

CurveGraph* CurveFigure::addGraphOf(QCPAxisRect& rect, const CurveSeries& curve, bool leftOut) {
    auto* graph = new CurveGraph(rect.axis(QCPAxis::atBottom), rect.axis(QCPAxis::atLeft));
    graph->setName(curve.label);
    if (curve.foreign) graph->setLayer(QStringLiteral("grid"));  // behind the curves of the displayed data
    QVector<double> x = curve.x, y = curve.y, below = curve.yerr, above = curve.yerr;
    if (!curve.low.isEmpty()) {
        below.resize(y.size());
        above.resize(y.size());
        for (qsizetype i = 0; i < y.size(); ++i) {
            below[i] = y[i] - curve.low[i];
            above[i] = curve.high[i] - y[i];
        }
    }
    if (!curve.leftOut.isEmpty())
        for (qsizetype i = 0; i < y.size(); ++i)
            if (curve.leftOut[i] != leftOut) y[i] = std::numeric_limits<double>::quiet_NaN();
    // A value that cannot be drawn is a gap as well: no line leads to it.
    leaveGaps(y, &rect == main_ && content_.logY);
    for (QVector<double>* errors : {&below, &above}) leaveGaps(*errors, false);
    auto [from, to] = drawnPlaces(curve);
    if (content_.logX)
        from = std::lower_bound(curve.x.begin(), curve.x.end(), 1 / largestDrawn) - curve.x.begin();
    if (from > 0 || to < curve.x.size())
        for (QVector<double>* one : {&x, &y, &below, &above})
            *one = one->mid(from, std::max<qsizetype>(to - from, 0));
    graph->setPrinted(printed_);
    graph->setCurve(x, y, below, above);
    graph->setAdaptiveSampling(false);  // it could bridge a gap
    const bool crowded = x.size() > manyPoints;
    if (!below.isEmpty() && x.size() <= CurveGraph::fewPoints) {
        auto* bars = new QCPErrorBars(graph->keyAxis(), graph->valueAxis());
        bars->setDataPlottable(graph);
        bars->setData(below, above);
        graph->setErrorBars(bars);
        QColor faint = colourOf(curve);
        faint.setAlpha(120);
        bars->setPen(QPen(faint, 1));
        bars->setWhiskerWidth(crowded ? 0 : markerSize_);
        bars->setSymbolGap(crowded ? 0.6 * markerSize_ : markerSize_ + 1);
    }
    return graph;
}

void CurveFigure::addCurve(QCPAxisRect& rect, const CurveSeries& curve) {
    const qsizetype run = std::max<qsizetype>(runs_.indexOf(curve.run), 0);
    const QColor colour = colourOf(curve);
    CurveGraph* const graph = addGraphOf(rect, curve, false);
    const bool picked = !curve.foreign && content_.pickedBin == curve.bin;
    graph->setPicked(picked);
    graph->setMarksBeyond(&rect != main_);  // whose range leaves out the largest
    const double width =
        (curve.style == CurveStyle::line && !fits_.has(curve) ? 2.0 : 1.2) + (picked ? 2.0 : 0.0);
    graph->setPen(QPen(colour, width, runPattern(run)));
    graph->setLineStyle(curve.style == CurveStyle::scatter ? QCPGraph::lsNone : QCPGraph::lsLine);
    if (curve.style != CurveStyle::line) {
        const bool crowded = curve.x.size() > manyPoints;
        graph->setScatterStyle(QCPScatterStyle(shapes[run % 5], QPen(colour, std::min(markerSize_ / 5, 1.0)),
                                               QBrush(colour), crowded ? 0.6 * markerSize_ : markerSize_));
    }
}

void CurveFigure::addHollow(const CurveSeries& curve) {
    const qsizetype run = std::max<qsizetype>(runs_.indexOf(curve.run), 0);
    CurveGraph* const graph = addGraphOf(*main_, curve, true);
    graph->setLineStyle(QCPGraph::lsNone);
    graph->setPen(QPen(colourOf(curve), 1));
    // A disc is always filled. The others are a little larger, so that there is something inside them.
    const QCPScatterStyle::ScatterShape shape = shapes[run % 5];
    graph->setScatterStyle(
        QCPScatterStyle(shape == QCPScatterStyle::ssDisc ? QCPScatterStyle::ssCircle : shape,
                        QPen(colourOf(curve), std::min(markerSize_ / 5, 1.0)), Qt::NoBrush, markerSize_ + 1));
}

void CurveFigure::addLegend(const QColor& text) {
    QVector<LegendEntry> bins, runs;
    QSet<int> seen;
    // Beside others, a bare number would not say what it is.
    const bool inFull = std::ranges::any_of(
        content_.series, [](const CurveSeries& one) { return !one.legendLabelInFull().isEmpty(); });
    bool bare = false;
    for (int i = 0, curve = 0; curve < content_.series.size(); ++curve) {
        if (!content_.shows(content_.series[curve])) continue;
        const int bin = content_.series[curve].bin;
        if (!seen.contains(bin)) {
            const CurveSeries& one = content_.series[curve];
            const QString label = one.legendLabel().isEmpty() ? tr("bin %1").arg(bin) : one.legendLabel();
            const QString named = inFull ? tr("bin %1").arg(bin) : label;
            graph(i)->setName(one.legendLabelInFull().isEmpty() ? named : one.legendLabelInFull());
            bare = bare || (!inFull && !one.legendLabel().isEmpty());
            bins << LegendEntry{graph(i), label, bin};
        }
        seen.insert(bin);
        ++i;
    }
    const QStringList& names = runs_;
    for (qsizetype run = 0; content_.namesRuns() && run < names.size(); ++run) {
        if (content_.hiddenRuns.contains(names[run])) continue;
        const std::optional<qsizetype> hue = content_.hueOf(names[run]);
        const QColor line = content_.isForeign(names[run]) ? binColour(0, dark_)
                            : hue                          ? runColour(*hue, dark_)
                                                           : text;
        QCPGraph* sample = addGraph();
        sample->setName(content_.inFull(names[run]));
        sample->setPen(QPen(line, 1.2, runPattern(run)));
        sample->setScatterStyle(QCPScatterStyle(shapes[run % 5], QPen(line, 1), QBrush(line), markerSize_));
        runs << LegendEntry{sample, {}, {}};
    }
    placeLegend(*this, bins, runs, content_.legendTitle, bare);
    // Two numbers on each axis need that much.
    if (below_)
        for (QCPAxisRect* rect : {main_, below_})
            rect->setMinimumSize(leastAxes.width(), static_cast<int>(leastLines * fontMetrics().height()));
}

void CurveFigure::resetZoom() {
    Extent x, y, below;
    int shown = 0;
    for (const CurveSeries& curve : content_.series) {
        if (!content_.shows(curve)) continue;
        const auto* drawn = qobject_cast<const CurveGraph*>(graph(shown++));
        if (const auto extent = drawn ? drawn->quickExtent() : std::nullopt) {
            for (const double end : {extent->x.lower, extent->x.upper}) x.add(end, content_.logX);
            for (const double end : {extent->y.lower, extent->y.upper}) y.add(end, content_.logY);
            continue;
        }
        for (qsizetype i = 0; i < curve.x.size(); ++i) {
            if (!canBeDrawn(curve.x[i], content_.logX) || !canBeDrawn(curve.y[i])) continue;
            x.add(curve.x[i], content_.logX);
            y.add(curve.y[i], content_.logY);
            if (!curve.low.isEmpty())
                for (const double end : {curve.low[i], curve.high[i]}) y.add(end, content_.logY);
            if (curve.yerr.isEmpty() || !canBeDrawn(curve.yerr[i])) continue;
            y.add(curve.y[i] - curve.yerr[i], content_.logY);
            y.add(curve.y[i] + curve.yerr[i], content_.logY);
        }
    }
    xAxis->setRange(x.padded(content_.logX, 0.03));
    yAxis->setRange(y.padded(content_.logY, 0.06));
    if (below_) {
        below_->axis(QCPAxis::atBottom)->setRange(xAxis->range());
        // Differences in units of the error are read against 1, others against 0.
        const double least = content_.hasErrors() ? 1 : 0;
        below.add(least, false);
        below.add(-least, false);
        const bool fits = fits_.any();
        std::vector<double> residuals;
        for (const CurveSeries& curve : differences_) {
            if (!content_.shows(curve)) continue;
            for (const double value : curve.y) {
                if (!fits)
                    below.add(value, false);
                else if (canBeDrawn(value))
                    residuals.push_back(std::abs(value));
            }
        }
        if (!residuals.empty()) {
            // A few points with a wrong error would leave no room for the others.
            const auto most =
                residuals.begin() +
                static_cast<std::ptrdiff_t>(usualResiduals * static_cast<double>(residuals.size() - 1));
            std::nth_element(residuals.begin(), most, residuals.end());
            const double largest = content_.hasErrors() ? std::max(*most, leastResidual) : *most;
            below.add(largest, false);
            below.add(-largest, false);
        }
        below_->axis(QCPAxis::atLeft)->setRange(below.padded(false, 0.1));
    }
    replot(rpQueuedReplot);
}

void CurveFigure::copyRanges(const CurveFigure& from) {
    xAxis->setRange(from.xAxis->range());
    yAxis->setRange(from.yAxis->range());
    if (!below_ || !from.below_) return;
    below_->axis(QCPAxis::atBottom)->setRange(from.xAxis->range());
    below_->axis(QCPAxis::atLeft)->setRange(from.below_->axis(QCPAxis::atLeft)->range());
}

QString CurveFigure::describe(const CurveSeries& curve, qsizetype point) const {
    const QString value = curve.yerr.isEmpty() ? formatNumber(curve.y[point], 6)
                                               : formatWithError(curve.y[point], curve.yerr[point]);
    const QString ends = curve.low.isEmpty()
                             ? QString()
                             : tr(" (quartiles %1 to %2)")
                                   .arg(formatNumber(curve.low[point], 4),
                                        numberWithUnit(formatNumber(curve.high[point], 4), content_.yUnit));
    QString who = curve.label.isEmpty() ? tr("bin %1").arg(curve.bin) : curve.label;
    if (!curve.run.isEmpty()) who += QStringLiteral(", ") + curve.run;
    const QString left = curve.isLeftOut(point) ? tr(", left out") : QString();
    return QStringLiteral("%1: %2 %3, %4 %5%6%7")
        .arg(who, content_.xTitle, numberWithUnit(formatNumber(curve.x[point], 6), content_.xUnit),
             content_.yTitle, numberWithUnit(value, content_.yUnit), ends, left);
}

void CurveFigure::mouseMoveEvent(QMouseEvent* event) {
    if (draggedEdge_) {
        emit edgeDragged(*draggedEdge_, xAxis->pixelToCoord(event->position().x()), false);
        return;
    }
    if (rangeFrom_) {
        emit rangeDragged(*rangeFrom_, xAxis->pixelToCoord(event->position().x()), false);
        return;
    }
    QCustomPlot::mouseMoveEvent(event);
    if (!content_.bands.isEmpty()) setCursor(edgeAt(event->position()) ? Qt::SplitHCursor : Qt::ArrowCursor);
    hoverPoint(event);
}

namespace {

/// Of ascending places, whether none is nearer to x.
bool isNearest(const QVector<double>& places, qsizetype at, double x) {
    const double away = std::abs(places[at] - x);
    return (at == 0 || std::abs(places[at - 1] - x) >= away) &&
           (at + 1 == places.size() || std::abs(places[at + 1] - x) >= away);
}

}  // namespace

std::optional<CurveFigure::Point> CurveFigure::pointAt(const QPointF& cursor) const {
    if (!main_->rect().contains(cursor.toPoint())) return std::nullopt;
    double best = hoverDistance;
    std::optional<Point> found;
    for (qsizetype at = 0; at < content_.series.size(); ++at) {
        const CurveSeries& curve = content_.series[at];
        if (!content_.shows(curve)) continue;
        const double left = xAxis->pixelToCoord(cursor.x() - hoverDistance),
                     right = xAxis->pixelToCoord(cursor.x() + hoverDistance);
        const auto first = std::lower_bound(curve.x.begin(), curve.x.end(), left) - curve.x.begin();
        for (qsizetype i = first; i < curve.x.size() && curve.x[i] <= right; ++i) {
            // A click with the tool is at a place of x, however far away the curve is.
            if (rangeTool_ && !isNearest(curve.x, i, xAxis->pixelToCoord(cursor.x()))) continue;
            if (!canBeDrawn(curve.y[i], content_.logY) || !canBeDrawn(curve.x[i], content_.logX)) continue;
            const double distance = std::hypot(xAxis->coordToPixel(curve.x[i]) - cursor.x(),
                                               yAxis->coordToPixel(curve.y[i]) - cursor.y());
            if (distance >= best) continue;
            best = distance;
            found = {at, i};
        }
    }
    return found;
}

void CurveFigure::hoverPoint(QMouseEvent* event) {
    const std::optional<Point> at =
        event->buttons() == Qt::NoButton ? pointAt(event->position()) : std::nullopt;
    const CurveSeries* const nearest = at ? &content_.series[at->curve] : nullptr;
    const qsizetype point = at ? at->point : 0;
    const QString text = nearest ? describe(*nearest, point) : QString();
    hoveredAt_ = event->position();
    if (!nearest && !wholeNote_.isEmpty() && event->buttons() == Qt::NoButton &&
        noteRect().contains(event->position())) {
        QToolTip::showText(event->globalPosition().toPoint(), wholeNote_, this);
        hoversNote_ = true;
    } else if (std::exchange(hoversNote_, false)) {
        QToolTip::hideText();
    }
    if (text == hovered_) return;
    hovered_ = text;
    if (tracer_) {
        tracer_->setVisible(nearest != nullptr);
        if (nearest) tracer_->position->setCoords(nearest->x[point], nearest->y[point]);
        tracer_->layer()->replot();
    }
    if (nearest)
        QToolTip::showText(event->globalPosition().toPoint(), text, this);
    else if (!hoversNote_)
        QToolTip::hideText();
    emit pointHovered(text);
}

void CurveFigure::hoverAgain() {
    if (hovered_.isEmpty()) return;
    const std::optional<Point> at = pointAt(hoveredAt_);
    const QString text = at ? describe(content_.series[at->curve], at->point) : QString();
    if (text == hovered_) return;
    hovered_ = text;
    emit pointHovered(text);
}

void CurveFigure::leaveEvent(QEvent* event) {
    QCustomPlot::leaveEvent(event);
    hovered_.clear();
    if (tracer_ && tracer_->visible()) {
        tracer_->setVisible(false);
        tracer_->layer()->replot();
    }
    emit pointHovered({});
}

}  // namespace ks::ui
