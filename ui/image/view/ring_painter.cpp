#include "ui/image/view/ring_painter.h"

#include <QPainter>
#include <algorithm>
#include <cmath>
#include <numbers>

#include "core/data/calibration/calibration.h"
#include "ui/base/palette.h"
#include "ui/base/round_number.h"
#include "ui/image/view/halo.h"

namespace ks::ui {
namespace {

constexpr double wantedRings = 6;
constexpr double nearest = 3;  ///< pixels between two rings, below which they could not be told apart

}  // namespace

void RingPainter::draw(const QPointF& centre, const RingOutline& ring) {
    const QPointF middle = viewport_.toScreen(centre);
    const RingAxes axes{ring.axes.x * viewport_.scale(), ring.axes.y * viewport_.scale()};
    if (!(axes.x > 0 && axes.y > 0) || !crosses(middle, axes)) return;
    // Each takes milliseconds, and thousands would cover the frame.
    const double apart = std::min(std::abs(axes.x - last_.x), std::abs(axes.y - last_.y));
    if (ring.label.isEmpty() && apart < nearest) return;
    last_ = axes;
    const QColor colour = ring.bin > 0 ? binColour(ring.bin, true) : QColor(255, 255, 255, 220);
    painter_.setBrush(Qt::NoBrush);
    painter_.setPen(QPen(QColor(0, 0, 0, 90), 2.5));
    painter_.drawEllipse(middle, axes.x, axes.y);
    painter_.setPen(QPen(colour, 1.2));
    painter_.drawEllipse(middle, axes.x, axes.y);
    if (!ring.label.isEmpty()) label(middle, axes, ring.label);
}

bool RingPainter::crosses(const QPointF& middle, const RingAxes& axes) const {
    const QRectF& area = viewport_.area();
    const double flat = axes.x / axes.y;  // heights are stretched so that the ring is a circle
    const double dx = std::max({area.left() - middle.x(), 0.0, middle.x() - area.right()});
    const double dy = std::max({area.top() - middle.y(), 0.0, middle.y() - area.bottom()});
    const double fx = std::max(std::abs(area.left() - middle.x()), std::abs(area.right() - middle.x()));
    const double fy = std::max(std::abs(area.top() - middle.y()), std::abs(area.bottom() - middle.y()));
    return std::hypot(dx, flat * dy) <= axes.x && axes.x <= std::hypot(fx, flat * fy);
}

void RingPainter::label(const QPointF& middle, const RingAxes& axes, const QString& text) {
    const QFontMetricsF metrics(painter_.font());
    const QSizeF size(metrics.horizontalAdvance(text) + 4, metrics.height());
    if (const auto box = placeOnRing(middle, axes, size, -45, shown_, {}, taken_))
        haloText(painter_, {box->left() + 2, box->top() + metrics.ascent()}, text, Qt::white);
}

std::optional<QRectF> placeOnRing(const QPointF& centre, const RingAxes& axes, const QSizeF& size,
                                  double start, const QRectF& room, const QMarginsF& apart,
                                  std::vector<QRectF>& taken) {
    for (int k = 0; k < 72; ++k) {
        const double turn = (k % 2 ? -1 : 1) * ((k + 1) / 2) * 5.0;
        const double angle = (turn + start) * std::numbers::pi / 180;
        const QPointF at = centre + QPointF(axes.x * std::cos(angle), axes.y * std::sin(angle));
        const QRectF box(at - QPointF(size.width() / 2, size.height() / 2), size);
        const auto covers = [&](const QRectF& other) { return other.marginsAdded(apart).intersects(box); };
        if (!room.adjusted(2, 2, -2, -2).contains(box) || std::ranges::any_of(taken, covers)) continue;
        taken.push_back(box);
        return box;
    }
    return std::nullopt;
}

void paintBeam(QPainter& painter, const QPointF& at) {
    for (const QPointF& arm : {QPointF(1, 0), QPointF(0, 1)}) {
        haloLine(painter, at - arm * 9, at - arm * 3, Qt::white, 1.4);
        haloLine(painter, at + arm * 3, at + arm * 9, Qt::white, 1.4);
    }
}

void RingLayer::set(const Geometry& geometry, const QString& rings, double farthest) {
    geometry_ = geometry;
    q_.clear();
    if (rings.isEmpty() || !geometry.complete() || !(farthest > 0)) return;
    if (rings == QLatin1String("q")) {
        const double step = roundUp(farthest / wantedRings);
        for (double q = step; q <= farthest; q += step) q_.push_back(q);
    } else {
        for (const double q : Calibrant::named(rings.toStdString()).q)
            if (q <= farthest) q_.push_back(q);
    }
}

void RingLayer::paint(QPainter& painter, const QTransform& imageToWidget) const {
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setBrush(Qt::NoBrush);
    const QPointF centre = imageToWidget.map(QPointF(geometry_.beam_x, geometry_.beam_y));
    const QRectF seen = painter.hasClipping() ? painter.clipBoundingRect() : QRectF(painter.viewport());
    const QFontMetricsF metrics(painter.font());
    std::vector<QRectF> taken;
    for (const double q : q_) {
        const auto ring = geometry_.ring_of_q(q);
        if (!ring) continue;
        const RingAxes axes{ring->x * imageToWidget.m11(), ring->y * imageToWidget.m22()};
        painter.setPen(QPen(QColor(0, 0, 0, 110), 3));
        painter.drawEllipse(centre, axes.x, axes.y);
        painter.setPen(QPen(QColor(255, 255, 255, 220), 1.2, Qt::DashLine));
        painter.drawEllipse(centre, axes.x, axes.y);
        const QString text = QStringLiteral("q %1  d %2 \u00c5")
                                 .arg(formatNumber(q, 3), formatNumber(2 * std::numbers::pi / q, 3));
        const QSizeF size(metrics.horizontalAdvance(text), metrics.height());
        const auto box = placeOnRing(centre, axes, size, 0, seen, {4, 1, 4, 1}, taken);
        if (!box) continue;
        painter.fillRect(box->adjusted(-3, 0, 3, 0), QColor(0, 0, 0, 150));
        painter.setPen(Qt::white);
        painter.drawText(QPointF(box->left(), box->top() + metrics.ascent()), text);
    }
}

}  // namespace ks::ui
