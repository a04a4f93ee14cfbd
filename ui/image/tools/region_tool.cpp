#include "ui/image/tools/region_tool.h"

#include <algorithm>

#include <QFontMetricsF>
#include <QPainter>
#include <QPen>

namespace ks::ui {
namespace {

const QColor darkHalo(0, 0, 0, 160);

QColor lineColour(bool add) {
    return add ? QColor(255, 255, 255) : QColor(0xff, 0xb0, 0x3b);
}

}  // namespace

void RegionTool::setImageSize(std::size_t height, std::size_t width) {
    if (height == height_ && width == width_) return;
    cancel();
    height_ = height;
    width_ = width;
}

void RegionTool::setAdding(bool adding) {
    adding_ = adding;
    emit changed();
}

void RegionTool::haloPath(QPainter& painter, const QPainterPath& path, bool add, bool dashed) {
    painter.setBrush(Qt::NoBrush);
    painter.setPen(QPen(darkHalo, 3.2, Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin));
    painter.drawPath(path);
    QPen line(lineColour(add), 1.4, Qt::SolidLine, Qt::FlatCap, Qt::RoundJoin);
    if (dashed) line.setDashPattern({4, 4});
    painter.setPen(line);
    painter.drawPath(path);
}

void RegionTool::haloLabel(QPainter& painter, const QPointF& at, const QString& text, bool add) {
    constexpr double away = 14, margin = 4;
    const QFontMetricsF metrics(painter.font());
    const double wide = metrics.horizontalAdvance(text);
    const QRectF room = painter.hasClipping() ? painter.clipBoundingRect() : QRectF(painter.viewport());
    QPointF baseline(at.x() + away, at.y() + away + metrics.ascent() / 2);
    if (baseline.x() + wide > room.right() - margin) baseline.setX(at.x() - away - wide);
    if (baseline.y() + metrics.descent() > room.bottom() - margin) baseline.setY(at.y() - away);
    baseline.setX(std::clamp(baseline.x(), room.left() + margin,
                             std::max(room.left() + margin, room.right() - margin - wide)));
    baseline.setY(std::max(baseline.y(), room.top() + margin + metrics.ascent()));
    QPainterPath path;
    path.addText(baseline, painter.font(), text);
    painter.setBrush(Qt::NoBrush);
    painter.setPen(QPen(QColor(0, 0, 0, 220), 3.5, Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin));
    painter.drawPath(path);
    painter.fillPath(path, lineColour(add));
}

}  // namespace ks::ui
