#include "ui/plots/curve_graph.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <utility>

namespace ks::ui {
namespace {

constexpr qsizetype blockSize = 256;
constexpr double endless = std::numeric_limits<double>::infinity();

CurveEnvelope::Range both(const CurveEnvelope::Range& a, const CurveEnvelope::Range& b) {
    return {std::min(a.low, b.low), std::max(a.high, b.high)};
}

// A comparison with NaN is false and so changes nothing. Several lanes, since each comparison would otherwise
// wait for the previous one.
CurveEnvelope::Range scanned(const double* from, const double* to) {
    constexpr int lanes = 8;
    std::array<double, lanes> low, high;
    low.fill(endless);
    high.fill(-endless);
    const auto add = [&](int lane, double value) {
        low[lane] = value < low[lane] ? value : low[lane];
        high[lane] = value > high[lane] ? value : high[lane];
    };
    const double* at = from;
    for (; to - at >= lanes; at += lanes)
        for (int lane = 0; lane < lanes; ++lane) add(lane, at[lane]);
    for (; at != to; ++at) add(0, *at);
    CurveEnvelope::Range range{low[0], high[0]};
    for (int lane = 1; lane < lanes; ++lane) range = both(range, {low[lane], high[lane]});
    return range;
}

constexpr double farOutside = 1e5;    ///< pixels: clipping here changes nothing visible
constexpr double printedColumns = 2;  ///< columns per point of the figure's size
constexpr qsizetype exactly = 4;      ///< up to this many points per column are drawn as they are

QCPRange ordered(double a, double b) {
    return {std::min(a, b), std::max(a, b)};
}

}  // namespace

CurveEnvelope::CurveEnvelope(QVector<double> values) : values_(std::move(values)) {
    blocks_.reserve(values_.size() / blockSize);
    const double* const first = values_.constData();
    for (qsizetype from = 0; from + blockSize <= values_.size(); from += blockSize)
        blocks_ << scanned(first + from, first + from + blockSize);
}

CurveEnvelope::Range CurveEnvelope::of(qsizetype from, qsizetype to) const {
    const double* const first = values_.constData();
    const qsizetype firstBlock = (from + blockSize - 1) / blockSize, lastBlock = to / blockSize;
    if (firstBlock >= lastBlock) return scanned(first + from, first + to);
    Range range = both(scanned(first + from, first + firstBlock * blockSize),
                       scanned(first + lastBlock * blockSize, first + to));
    for (qsizetype block = firstBlock; block < lastBlock; ++block) range = both(range, blocks_[block]);
    return range;
}

void CurveGraph::setCurve(const QVector<double>& x, const QVector<double>& y, const QVector<double>& below,
                          const QVector<double>& above) {
    x_ = x;
    y_ = y;
    below_ = below;
    above_ = above;
    lines_.clear();
    laid_ = {};
    envelope_.reset();
    if (dense())
        envelope_ = std::make_unique<const CurveEnvelope>(y_);
    else
        setData(x_, y_, true);
}

QPair<qsizetype, qsizetype> CurveGraph::visible() const {
    const QCPRange range = keyAxis()->range();
    return {std::lower_bound(x_.begin(), x_.end(), range.lower) - x_.begin(),
            std::upper_bound(x_.begin(), x_.end(), range.upper) - x_.begin()};
}

qsizetype CurveGraph::visiblePoints() const {
    const auto [from, to] = visible();
    return to - from;
}

std::optional<CurveGraph::Extent> CurveGraph::quickExtent() const {
    if (!envelope_ || !below_.isEmpty()) return std::nullopt;
    const CurveEnvelope::Range values = envelope_->of(0, y_.size());
    if (!std::isfinite(values.low) || !std::isfinite(values.high)) return std::nullopt;
    const auto hasValue = [](double y) { return !std::isnan(y); };
    const qsizetype first = std::find_if(y_.begin(), y_.end(), hasValue) - y_.begin();
    const qsizetype behind = y_.rend() - std::find_if(y_.rbegin(), y_.rend(), hasValue);
    return Extent{{x_[first], x_[behind - 1]}, {values.low, values.high}};
}

void CurveGraph::setCrowded(bool crowded) {
    crowded_ = crowded;
    if (bars_) bars_->setVisible(!crowded);
}

QCPRange CurveGraph::getKeyRange(bool& found, QCP::SignDomain sign) const {
    if (!dense() || sign != QCP::sdBoth) return QCPGraph::getKeyRange(found, sign);
    found = true;
    return ordered(x_.first(), x_.last());
}

QPointF CurveGraph::place(qsizetype point) const {
    const double y = valueAxis()->coordToPixel(y_[point]);
    return {keyAxis()->coordToPixel(x_[point]),
            std::isnan(y_[point]) ? y_[point] : std::clamp(y, -farOutside, farOutside)};
}

QVector<QPolygonF> CurveGraph::linesIn(const View& view) const {
    QVector<QPolygonF> lines;
    QPolygonF line;
    const auto end = [&] {
        if (!line.isEmpty()) lines << std::exchange(line, {});
    };
    const auto add = [&](const QPointF& at) {
        if (std::isnan(at.y()))
            end();
        else
            line << at;
    };
    const auto [begin, stop] = visible();
    // One more point on each side, so that the line continues to the frame.
    const qsizetype from = std::max<qsizetype>(begin - 1, 0), to = std::min(stop + 1, x_.size());
    const double columns = view.rect.width() * view.columns;
    if (static_cast<double>(to - from) <= static_cast<double>(exactly) * columns) {
        for (qsizetype i = from; i < to; ++i) add(place(i));
        end();
        return lines;
    }
    if (from < begin) add(place(from));
    qsizetype at = begin;
    for (int column = 1; at < stop; ++column) {
        const double edge =
            keyAxis()->pixelToCoord(view.rect.left() + static_cast<double>(column) / view.columns);
        const qsizetype next =
            column < columns ? std::lower_bound(x_.begin() + at, x_.begin() + stop, edge) - x_.begin() : stop;
        if (next - at <= exactly) {
            for (qsizetype i = at; i < next; ++i) add(place(i));
        } else {
            const CurveEnvelope::Range range = envelope_->of(at, next);
            add(place(at));
            if (range.low <= range.high) {
                const double x = view.rect.left() + (static_cast<double>(column) - 0.5) / view.columns;
                for (const double y : {range.low, range.high})
                    add({x, std::clamp(valueAxis()->coordToPixel(y), -farOutside, farOutside)});
            }
            add(place(next - 1));
        }
        at = next;
    }
    if (stop < to) add(place(stop));
    end();
    return lines;
}

RasterLine CurveGraph::rasterLine(double ratio) const {
    RasterLine line{&x_, &y_, mPen.color().rgb() | 0xff000000U, mLineStyle != lsNone};
    if (picked_) line.thicker = std::max(static_cast<int>(ratio), 1);
    if (!line.joined) return line;
    const auto columns = [&](int on, int period) {
        line.on = std::max(static_cast<int>(on * ratio), 1);
        line.period = static_cast<int>(period * ratio);
    };
    switch (mPen.style()) {
        case Qt::DashLine:
            columns(5, 8);
            break;
        case Qt::DotLine:
            columns(1, 3);
            break;
        case Qt::DashDotLine:
            columns(8, 11);
            break;
        case Qt::DashDotDotLine:
            columns(3, 7);
            break;
        default:
            break;
    }
    return line;
}

void CurveGraph::draw(QCPPainter* painter) {
    if (dense())
        drawDense(*painter);
    else if (!inCrowd())
        QCPGraph::draw(painter);
    if (marksBeyond_ && !dense()) drawBeyond(*painter);
}

void CurveGraph::drawDense(QCPPainter& painter) {
    if (x_.isEmpty()) return;
    const QCPAxisRect& frame = *keyAxis()->axisRect();
    const View view{keyAxis()->range(),
                    valueAxis()->range(),
                    frame.rect(),
                    printed_ ? printedColumns : mParentPlot->bufferDevicePixelRatio(),
                    keyAxis()->scaleType() == QCPAxis::stLogarithmic,
                    valueAxis()->scaleType() == QCPAxis::stLogarithmic};
    if (!(view == laid_)) {
        lines_ = linesIn(view);
        laid_ = view;
    }
    painter.setAntialiasing(printed_);
    QPen pen(mPen.color(), printed_ ? 0.5 : 1, mPen.style());
    pen.setCosmetic(!printed_);
    painter.setPen(pen);
    painter.setBrush(Qt::NoBrush);
    const int thicker = picked_ ? 1 : 0;  // pixels on each side
    for (int offset = -thicker; offset <= thicker; ++offset) {
        painter.translate(0, offset);
        for (const QPolygonF& line : std::as_const(lines_)) drawLine(painter, line);
        painter.translate(0, -offset);
    }
    if (!crowded_ && visiblePoints() <= fewPoints) drawMarks(&painter);
}

bool CurveGraph::isBeyond(qsizetype point) const {
    return !std::isnan(y_[point]) && !valueAxis()->range().contains(y_[point]);
}

qsizetype CurveGraph::pointsBeyond() const {
    if (!marksBeyond_ || dense()) return 0;
    const auto [from, to] = visible();
    qsizetype beyond = 0;
    for (qsizetype i = from; i < to; ++i) beyond += isBeyond(i) ? 1 : 0;
    return beyond;
}

void CurveGraph::drawBeyond(QCPPainter& painter) const {
    const double half = std::max(mScatterStyle.size() / 2, 3.0);
    const QRect frame = keyAxis()->axisRect()->rect();
    applyScattersAntialiasingHint(&painter);
    painter.setPen(Qt::NoPen);
    painter.setBrush(mPen.color());
    const auto [from, to] = visible();
    for (qsizetype i = from; i < to; ++i) {
        if (!isBeyond(i)) continue;
        const bool above = y_[i] > valueAxis()->range().upper;
        const double x = keyAxis()->coordToPixel(x_[i]), tip = above ? frame.top() + 1 : frame.bottom() - 1,
                     foot = tip + (above ? 2 : -2) * half;
        painter.drawPolygon(QPolygonF({{x, tip}, {x - half, foot}, {x + half, foot}}));
    }
}

// The time for a stroke wider than a pixel grows faster than its points, so it is drawn in parts.
void CurveGraph::drawLinePlot(QCPPainter* painter, const QVector<QPointF>& lines) const {
    constexpr qsizetype part = 12;
    const bool vector = printed_ || painter->modes().testFlag(QCPPainter::pmVectorized);
    if (vector || painter->pen().style() != Qt::SolidLine || lines.size() <= part)
        return QCPGraph::drawLinePlot(painter, lines);
    applyDefaultAntialiasingHint(painter);
    for (qsizetype first = 0; first + 1 < lines.size(); first += part) {
        const qsizetype count = std::min(part + 1, lines.size() - first);
        const auto* const from = lines.constData() + first;
        const bool gap = std::any_of(from, from + count, [](const QPointF& at) {
            return !std::isfinite(at.x()) || !std::isfinite(at.y());
        });
        if (gap)
            drawPolyline(painter, lines.mid(first, count));
        else
            painter->drawPolyline(from, static_cast<int>(count));
    }
}

void CurveGraph::drawLine(QCPPainter& painter, const QPolygonF& line) const {
    if (mLineStyle == lsNone || line.size() == 1) {
        painter.drawPoints(line);
    } else if (!printed_) {
        painter.drawPolyline(line);
    } else {
        // Each line separately: the printed line is wider than a pixel.
        QVector<QLineF> parts;
        parts.reserve(line.size() - 1);
        for (qsizetype i = 1; i < line.size(); ++i) parts << QLineF(line[i - 1], line[i]);
        painter.drawLines(parts);
    }
}

void CurveGraph::drawMarks(QCPPainter* painter) const {
    const auto [from, to] = visible();
    applyScattersAntialiasingHint(painter);
    if (!below_.isEmpty()) {
        QColor faint = mPen.color();
        faint.setAlpha(120);
        painter->setPen(QPen(faint, 1));
        for (qsizetype i = from; i < to; ++i) {
            if (std::isnan(y_[i]) || !std::isfinite(below_[i])) continue;
            const double x = keyAxis()->coordToPixel(x_[i]);
            const auto y = [&](double value) {
                return std::clamp(valueAxis()->coordToPixel(value), -farOutside, farOutside);
            };
            painter->drawLine(QLineF(x, y(y_[i] - below_[i]), x, y(y_[i] + above_[i])));
        }
    }
    if (mScatterStyle.isNone()) return;
    mScatterStyle.applyTo(painter, mPen);
    for (qsizetype i = from; i < to; ++i)
        if (!std::isnan(y_[i])) mScatterStyle.drawShape(painter, place(i));
}

}  // namespace ks::ui
