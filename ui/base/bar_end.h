#pragma once

#include <QColor>
#include <QLineF>
#include <QPainter>
#include <QPointF>
#include <QPolygonF>
#include <QRgb>

namespace ks::ui {

/// Paints a pointed end of a colour bar, which says that there are values beyond its limit.
/// @param edge the side of the bar on which the end is
/// @param length in pixels, upwards; negative: the end points down
inline void paintBarEnd(QPainter& painter, const QLineF& edge, double length, QRgb fill, const QColor& line) {
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing, true);
    painter.setPen(line);
    painter.setBrush(QColor(fill));
    painter.drawPolygon(QPolygonF({edge.p1(), edge.center() - QPointF(0, length), edge.p2()}));
    painter.restore();
}

}  // namespace ks::ui
