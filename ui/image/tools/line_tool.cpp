#include "ui/image/tools/line_tool.h"

#include <QPainter>
#include <cmath>

namespace ks::ui {

bool LineTool::press(const ToolEvent& event) {
    if (event.button != Qt::LeftButton) return false;
    held_ = true;
    line_ = {event.image, event.image};
    emit changed();
    return true;
}

bool LineTool::move(const ToolEvent& event) {
    if (!held_) return false;
    end(event);
    return true;
}

bool LineTool::release(const ToolEvent& event) {
    if (!held_ || event.button != Qt::LeftButton) return false;
    end(event);
    held_ = false;
    return true;
}

void LineTool::end(const ToolEvent& event) {
    QPointF to = event.image;
    if (event.modifiers & Qt::ShiftModifier) {
        const QPointF way = to - line_.p1();
        if (std::abs(way.x()) >= std::abs(way.y()))
            to.setY(line_.y1());
        else
            to.setX(line_.x1());
    }
    line_.setP2(to);
    emit changed();
    emit drawn(line_);
}

void LineTool::cancel() {
    held_ = false;
    line_ = {};
    emit changed();
    emit drawn(line_);
}

void LineTool::paint(QPainter& painter, const QTransform& imageToWidget) const {
    if (line_.isNull()) return;
    const QLineF shown = imageToWidget.map(line_);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(QColor(0, 0, 0, 140), 3.5));
    painter.drawLine(shown);
    painter.setPen(QPen(Qt::white, 1.5));
    painter.drawLine(shown);
    painter.setBrush(Qt::white);
    painter.drawEllipse(shown.p1(), 2.5, 2.5);
    painter.drawEllipse(shown.p2(), 2.5, 2.5);
}

}  // namespace ks::ui
