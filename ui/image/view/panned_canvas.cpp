#include "ui/image/view/panned_canvas.h"

#include <QApplication>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QWheelEvent>
#include <algorithm>
#include <cmath>
#include <utility>

namespace ks::ui {

PannedCanvas::PannedCanvas(QWidget* parent) : QWidget(parent) {
    setFocusPolicy(Qt::StrongFocus);
    setMouseTracking(true);
}

void PannedCanvas::zoomBy(double factor, const QPointF& anchor) {
    if (!hasPicture()) return;
    zoomView(factor, anchor);
    viewMoved();
    hoverAgain();
}

void PannedCanvas::hoverAgain() {
    if (mouse_ && !drag_) hoverAt(*mouse_);
}

void PannedCanvas::fit() {
    fitView();
    viewMoved();
    hoverAgain();
}

bool PannedCanvas::takesPress(const QMouseEvent&) {
    return false;
}

bool PannedCanvas::takesRelease(const QMouseEvent&) {
    return false;
}

void PannedCanvas::updateCursor() {
    if (panning_) return setCursor(Qt::ClosedHandCursor);
    if (spaceHeld_) return setCursor(Qt::OpenHandCursor);
    unsetCursor();
}

void PannedCanvas::paintFocus(QPainter& painter) const {
    if (!hasFocus()) return;
    painter.setPen(palette().color(QPalette::Highlight));
    painter.setBrush(Qt::NoBrush);
    painter.drawRect(rect().adjusted(0, 0, -1, -1));
}

void PannedCanvas::mousePressEvent(QMouseEvent* event) {
    mouse_ = event->position();
    if (takesPress(*event)) return;
    drag_ = Drag{event->position(), event->position(), event->button()};
    panning_ = false;
}

void PannedCanvas::mouseMoveEvent(QMouseEvent* event) {
    const QPointF at = event->position();
    mouse_ = at;
    const bool drags = drag_ && hasPicture() && (event->buttons() & drag_->button) &&
                       (drag_->button == Qt::LeftButton || drag_->button == Qt::MiddleButton);
    if (drags && (at - drag_->began).manhattanLength() >= QApplication::startDragDistance()) panning_ = true;
    if (drags && panning_) {
        panView(at - std::exchange(drag_->last, at), drag_->began);
        viewMoved();
    } else {
        hoverAt(at);
    }
    updateCursor();
}

void PannedCanvas::mouseReleaseEvent(QMouseEvent* event) {
    mouse_ = event->position();
    if (!takesRelease(*event)) {
        const bool pressed = std::exchange(drag_, std::nullopt).has_value(),
                   moved = std::exchange(panning_, false);
        if (pressed && hasPicture()) moved ? hoverAt(event->position()) : clickedAt(*event);
    }
    updateCursor();
}

void PannedCanvas::mouseDoubleClickEvent(QMouseEvent* event) {
    if (event->button() != Qt::LeftButton) return mousePressEvent(event);
    drag_.reset();
    fit();
}

void PannedCanvas::wheelEvent(QWheelEvent* event) {
    const double notches = event->angleDelta().y() / 120.0;
    if (notches == 0 || !hasPicture() || areaAt(event->position()).isNull()) return event->ignore();
    mouse_ = event->position();
    zoomBy(std::pow(zoomStep, notches), event->position());
    event->accept();
}

void PannedCanvas::keyPressEvent(QKeyEvent* event) {
    QRectF area = areaAt(mouse_);
    if (area.isNull()) area = areaAt(std::nullopt);
    const QPointF centre = area.center();
    const double step = std::min(area.width(), area.height()) * panStep;
    const auto pan = [&](double x, double y) {
        if (!hasPicture()) return;
        panView({x * step, y * step}, centre);
        viewMoved();
        hoverAgain();
    };
    switch (event->key()) {
        case Qt::Key_Plus:
        case Qt::Key_Equal:
            return zoomBy(zoomStep, centre);
        case Qt::Key_Minus:
            return zoomBy(1 / zoomStep, centre);
        case Qt::Key_Left:
            return pan(1, 0);
        case Qt::Key_Right:
            return pan(-1, 0);
        case Qt::Key_Up:
            return pan(0, 1);
        case Qt::Key_Down:
            return pan(0, -1);
        case Qt::Key_Home:
            return fit();
        case Qt::Key_Space:
            spaceHeld_ = true;
            return updateCursor();
        default:
            QWidget::keyPressEvent(event);
    }
}

void PannedCanvas::keyReleaseEvent(QKeyEvent* event) {
    if (event->key() != Qt::Key_Space || !spaceHeld_) return QWidget::keyReleaseEvent(event);
    if (event->isAutoRepeat()) return;
    spaceHeld_ = false;
    updateCursor();
}

void PannedCanvas::focusOutEvent(QFocusEvent* event) {
    spaceHeld_ = false;
    updateCursor();
    QWidget::focusOutEvent(event);
}

void PannedCanvas::leaveEvent(QEvent*) {
    if (panning_) return;
    mouse_.reset();
    hoverEnded();
}

}  // namespace ks::ui
