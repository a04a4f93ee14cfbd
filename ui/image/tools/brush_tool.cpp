#include "ui/image/tools/brush_tool.h"

#include <algorithm>

#include <QKeyEvent>
#include <QPainter>

namespace ks::ui {

QString BrushTool::hint() const {
    return tr("Paint; [ and ]: brush size, Ctrl: switch between add and remove, Esc: undo the stroke");
}

void BrushTool::setSize(int pixels) {
    pixels = std::clamp(pixels, 1, largest);
    if (pixels == size_) return;
    size_ = pixels;
    emit sizeChanged(size_);
    emit changed();
}

void BrushTool::paintTo(const QPointF& image) {
    const PixelRegion region =
        stroke_region(imageHeight(), imageWidth(), pointOf(last_.value_or(image)), pointOf(image), size_);
    last_ = image;
    if (!region.empty()) sink().apply(region, add_, title());
}

bool BrushTool::press(const ToolEvent& event) {
    if (event.button != Qt::LeftButton || !ready()) return false;
    // A missing release must not leave the step open.
    if (last_) sink().end();
    last_.reset();
    add_ = addsWith(event.modifiers);
    tip_ = event.image;
    sink().begin(title());
    paintTo(event.image);
    emit changed();
    return true;
}

bool BrushTool::move(const ToolEvent& event) {
    tip_ = event.image;
    inverse_ = event.modifiers.testFlag(Qt::ControlModifier);
    if (last_ && ready()) paintTo(event.image);
    emit changed();
    return last_.has_value();
}

bool BrushTool::release(const ToolEvent& event) {
    if (!last_) return false;
    tip_ = event.image;
    if (ready()) {
        if (event.image != *last_) paintTo(event.image);
        sink().end();
    }
    last_.reset();
    emit changed();
    return true;
}

bool BrushTool::keyPress(QKeyEvent& event) {
    // A tenth of the size, so that a large brush does not take a hundred key presses.
    const int step = std::max(1, size_ / 10);
    switch (event.key()) {
        case Qt::Key_BracketLeft:
            setSize(size_ - step);
            return true;
        case Qt::Key_BracketRight:
            setSize(size_ + step);
            return true;
        case Qt::Key_Escape:
            if (!last_) return false;
            cancel();
            return true;
        default:
            return false;
    }
}

void BrushTool::cancel() {
    if (!last_) return;
    last_.reset();
    if (ready()) sink().abandon();
    emit changed();
}

void BrushTool::hideTip() {
    tip_.reset();
    emit changed();
}

void BrushTool::paint(QPainter& painter, const QTransform& imageToWidget) const {
    if (!tip_) return;
    // Half a screen pixel more than the halo, so that a small brush is still drawn as a ring.
    const double radius = std::max(size_ * imageToWidget.m11() / 2, 2.5);
    QPainterPath ring;
    ring.addEllipse(imageToWidget.map(*tip_), radius, radius);
    haloPath(painter, ring, last_ ? add_ : adding() != inverse_);
}

}  // namespace ks::ui
