#include "ui/image/tools/rectangle_tool.h"

namespace ks::ui {

QString RectangleTool::hint() const {
    return tr(
        "Drag a rectangle; Shift: square, Alt: from the centre, Ctrl: switch between add and remove, Esc: "
        "cancel");
}

PixelRegion RectangleTool::regionIn(const Box& box) const {
    return rectangle_region(imageHeight(), imageWidth(), box.low, box.high);
}

QPainterPath RectangleTool::outlineIn(const QRectF& widget) const {
    QPainterPath path;
    path.addRect(widget);
    return path;
}

}  // namespace ks::ui
