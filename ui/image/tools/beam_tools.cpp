#include "ui/image/tools/beam_tools.h"

#include <QHash>
#include <QKeyEvent>
#include <QPainter>

#include "core/base/error.h"

namespace ks::ui {

bool BeamTool::press(const ToolEvent& event) {
    if (event.button != Qt::LeftButton) return false;
    held_ = true;
    before_ = at_;
    at_ = event.image;
    emit moved(at_, false);
    return true;
}

bool BeamTool::move(const ToolEvent& event) {
    if (!held_) return false;
    at_ = event.image;
    emit moved(at_, false);
    return true;
}

bool BeamTool::release(const ToolEvent& event) {
    if (!held_) return false;
    held_ = false;
    at_ = event.image;
    emit moved(at_, true);
    return true;
}

bool BeamTool::keyPress(QKeyEvent& event) {
    static const QHash<int, QPointF> ways{
        {Qt::Key_Left, {-1, 0}}, {Qt::Key_Right, {1, 0}}, {Qt::Key_Up, {0, -1}}, {Qt::Key_Down, {0, 1}}};
    if (const auto way = ways.find(event.key()); way != ways.end()) {
        at_ += *way * (event.modifiers() & Qt::ShiftModifier ? 1 : 0.1);
        emit moved(at_, true);
        return true;
    }
    if (event.key() != Qt::Key_Escape || !held_) return false;
    cancel();
    return true;
}

void BeamTool::cancel() {
    if (held_) {
        held_ = false;
        at_ = before_;
        emit moved(at_, true);
        return;
    }
    emit ended();
}

bool RingFitTool::press(const ToolEvent& event) {
    if (event.button != Qt::LeftButton) return false;
    points_.push_back({event.image.x(), event.image.y()});
    refit();
    return true;
}

bool RingFitTool::release(const ToolEvent& event) {
    return event.button == Qt::LeftButton;
}

bool RingFitTool::doubleClick(const ToolEvent&) {
    take();  // the first click of the two has already added its point
    return true;
}

bool RingFitTool::keyPress(QKeyEvent& event) {
    if (event.key() == Qt::Key_Return || event.key() == Qt::Key_Enter) {
        take();
        return true;
    }
    if (event.key() == Qt::Key_Backspace && !points_.empty()) {
        points_.pop_back();
        refit();
        return true;
    }
    return false;
}

void RingFitTool::cancel() {
    points_.clear();
    refit();
    emit ended();
}

void RingFitTool::setAspect(double aspect) {
    if (aspect == aspect_) return;
    aspect_ = aspect;
    refit();
}

RingAxes RingFitTool::axesOf(const CircleFit& fit) const {
    return RingAxes::of(fit.radius, aspect_);
}

void RingFitTool::refit() {
    fit_.reset();
    try {
        if (points_.size() >= 3) fit_ = fit_ring(points_, aspect_);
    } catch (const Error&) {
        // Points on one line: no circle can be shown until another one is clicked.
    }
    emit changed();
}

void RingFitTool::take() {
    if (!fit_) return;
    const CircleFit circle = *fit_;
    points_.clear();
    refit();
    emit fitted(circle);
}

void RingFitTool::paint(QPainter& painter, const QTransform& imageToWidget) const {
    painter.setRenderHint(QPainter::Antialiasing);
    const auto halo = [&](const auto& draw, const QColor& colour, double width) {
        painter.setPen(QPen(QColor(0, 0, 0, 140), width + 2));
        draw();
        painter.setPen(QPen(colour, width));
        draw();
    };
    painter.setBrush(Qt::NoBrush);
    if (fit_) {
        const QPointF centre = imageToWidget.map(QPointF(fit_->x, fit_->y));
        const RingAxes ring = axesOf(*fit_);
        halo([&] { painter.drawEllipse(centre, ring.x * imageToWidget.m11(), ring.y * imageToWidget.m22()); },
             Qt::yellow, 1.2);
        halo([&] { painter.drawEllipse(centre, 3, 3); }, Qt::yellow, 1.2);
        QString text = tr("x %1  y %2").arg(fit_->x, 0, 'f', 2).arg(fit_->y, 0, 'f', 2);
        if (fit_->points > 3) text += tr("  rms %1 px").arg(fit_->rms, 0, 'f', 2);
        const QPointF last =
            imageToWidget.map(QPointF(points_.back().x, points_.back().y)) + QPointF(10, -10);
        painter.setPen(Qt::black);
        painter.drawText(last + QPointF(1, 1), text);
        painter.setPen(Qt::yellow);
        painter.drawText(last, text);
    }
    for (const ImagePoint& point : points_) {
        const QPointF at = imageToWidget.map(QPointF(point.x, point.y));
        halo([&] { painter.drawEllipse(at, 4, 4); }, Qt::white, 1.2);
    }
}

}  // namespace ks::ui
