#include "ui/image/tools/ellipse_tool.h"

namespace ks::ui {

QString EllipseTool::hint() const {
    return tr(
        "Drag an ellipse; Shift: circle, Alt: from the centre, Ctrl: switch between add and remove, Esc: "
        "cancel");
}

PixelRegion EllipseTool::regionIn(const Box& box) const {
    const ImagePoint centre{(box.low.x + box.high.x) / 2, (box.low.y + box.high.y) / 2};
    return ellipse_region(imageHeight(), imageWidth(), centre, (box.high.x - box.low.x) / 2,
                          (box.high.y - box.low.y) / 2);
}

QPainterPath EllipseTool::outlineIn(const QRectF& widget) const {
    QPainterPath path;
    path.addEllipse(widget);
    return path;
}

}  // namespace ks::ui
