#include "ui/image/halo.h"

#include <QPainter>
#include <QPainterPath>

#include "ui/plots/palette.h"

namespace ks::ui {

void haloText(QPainter& painter, const QPointF& baseline, const QString& text, const QColor& colour) {
    QPainterPath path;
    path.addText(baseline, painter.font(), text);
    painter.setBrush(Qt::NoBrush);
    painter.setPen(QPen(textOn(colour), 3, Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin));
    painter.drawPath(path);
    painter.fillPath(path, colour);
}

void haloLine(QPainter& painter, const QPointF& a, const QPointF& b, const QColor& colour, double width) {
    painter.setPen(QPen(QColor(0, 0, 0, 90), width + 1.5));
    painter.drawLine(a, b);
    painter.setPen(QPen(colour, width));
    painter.drawLine(a, b);
}

}  // namespace ks::ui
