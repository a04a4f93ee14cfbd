#include "ui/image/overlay/ring_layer.h"

#include <QPainter>
#include <numbers>

#include "core/data/calibration/calibration.h"
#include "ui/base/palette.h"
#include "ui/base/round_number.h"
#include "ui/image/view/ring_painter.h"

namespace ks::ui {
namespace {

constexpr double wantedRings = 6;

}  // namespace

void RingLayer::set(const Geometry& geometry, const QString& rings, double farthest) {
    geometry_ = geometry;
    q_.clear();
    if (rings.isEmpty() || !geometry.complete() || !(farthest > 0)) return;
    const double maximum = geometry.q_of_radius(farthest);
    if (rings == QLatin1String("q")) {
        const double step = roundUp(maximum / wantedRings);
        for (double q = step; q <= maximum; q += step) q_.push_back(q);
    } else {
        for (const double q : Calibrant::named(rings.toStdString()).q)
            if (q <= maximum) q_.push_back(q);
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
        const auto radius = geometry_.radius_of_q(q);
        if (!radius) continue;
        const double r = *radius * imageToWidget.m11();
        painter.setPen(QPen(QColor(0, 0, 0, 110), 3));
        painter.drawEllipse(centre, r, r);
        painter.setPen(QPen(QColor(255, 255, 255, 220), 1.2, Qt::DashLine));
        painter.drawEllipse(centre, r, r);
        const QString text = QStringLiteral("q %1  d %2 \u00c5")
                                 .arg(formatNumber(q, 3), formatNumber(2 * std::numbers::pi / q, 3));
        const QSizeF size(metrics.horizontalAdvance(text), metrics.height());
        const auto box = placeOnRing(centre, r, size, 0, seen, {4, 1, 4, 1}, taken);
        if (!box) continue;
        painter.fillRect(box->adjusted(-3, 0, 3, 0), QColor(0, 0, 0, 150));
        painter.setPen(Qt::white);
        painter.drawText(QPointF(box->left(), box->top() + metrics.ascent()), text);
    }
}

}  // namespace ks::ui
