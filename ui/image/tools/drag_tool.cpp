#include "ui/image/tools/drag_tool.h"

#include <algorithm>
#include <cmath>

#include <QKeyEvent>
#include <QPainter>

namespace ks::ui {

DragTool::Box DragTool::boxOf(const Drag& drag) {
    QPointF reach = drag.to - drag.from;
    if (drag.modifiers & Qt::ShiftModifier) {
        const double side = std::max(std::abs(reach.x()), std::abs(reach.y()));
        reach = {std::copysign(side, reach.x()), std::copysign(side, reach.y())};
    }
    const QPointF a = drag.modifiers & Qt::AltModifier ? drag.from - reach : drag.from;
    // Without a modifier the corner is exactly the cursor position, without rounding by a sum.
    const QPointF b = drag.modifiers & Qt::ShiftModifier ? drag.from + reach : drag.to;
    return {{std::min(a.x(), b.x()), std::min(a.y(), b.y())},
            {std::max(a.x(), b.x()), std::max(a.y(), b.y())}};
}

QString DragTool::hint() const {
    return shape_ == Shape::rectangle
               ? tr("Drag a rectangle; Shift: square, Alt: from the centre, Ctrl: switch between add and "
                    "remove, Esc: cancel")
               : tr("Drag an ellipse; Shift: circle, Alt: from the centre, Ctrl: switch between add and "
                    "remove, Esc: cancel");
}

PixelRegion DragTool::regionIn(const Box& box) const {
    if (shape_ == Shape::rectangle) return rectangle_region(imageHeight(), imageWidth(), box.low, box.high);
    const ImagePoint centre{(box.low.x + box.high.x) / 2, (box.low.y + box.high.y) / 2};
    return ellipse_region(imageHeight(), imageWidth(), centre, (box.high.x - box.low.x) / 2,
                          (box.high.y - box.low.y) / 2);
}

bool DragTool::press(const ToolEvent& event) {
    if (event.button != Qt::LeftButton || !ready()) return false;
    drag_ = Drag{event.image, event.image, event.modifiers, addsWith(event.modifiers)};
    emit changed();
    return true;
}

bool DragTool::move(const ToolEvent& event) {
    if (!drag_) return false;
    drag_->to = event.image;
    drag_->modifiers = event.modifiers;
    emit changed();
    return true;
}

bool DragTool::release(const ToolEvent& event) {
    if (!drag_) return false;
    Drag done = *drag_;
    done.to = event.image;
    done.modifiers = event.modifiers;
    drag_.reset();
    emit changed();
    if (!ready()) return true;
    const PixelRegion region = regionIn(boxOf(done));
    if (!region.empty()) sink().apply(region, done.add, title());
    return true;
}

bool DragTool::keyPress(QKeyEvent& event) {
    if (!drag_ || event.key() != Qt::Key_Escape) return false;
    cancel();
    return true;
}

void DragTool::cancel() {
    if (!drag_) return;
    drag_.reset();
    emit changed();
}

void DragTool::paint(QPainter& painter, const QTransform& imageToWidget) const {
    if (!drag_) return;
    const Box box = boxOf(*drag_);
    const QRectF widget(imageToWidget.map(QPointF(box.low.x, box.low.y)),
                        imageToWidget.map(QPointF(box.high.x, box.high.y)));
    QPainterPath outline;
    shape_ == Shape::rectangle ? outline.addRect(widget) : outline.addEllipse(widget);
    haloPath(painter, outline, drag_->add);
    const PixelRect size = rectangle_region(imageHeight(), imageWidth(), box.low, box.high).bounds();
    haloLabel(painter, imageToWidget.map(drag_->to), tr("%1 x %2 px").arg(size.width).arg(size.height),
              drag_->add);
}

}  // namespace ks::ui
