#include "ui/image/tools/polygon_tool.h"

#include <utility>

#include <QKeyEvent>
#include <QPainter>

namespace ks::ui {

QString PolygonTool::hint() const {
    return tr(
        "Click the corners; double-click or Return: close, Backspace: remove the last corner, Ctrl at the "
        "first corner: switch between add and remove, Esc: cancel");
}

bool PolygonTool::press(const ToolEvent& event) {
    if (event.button != Qt::LeftButton || !ready()) return false;
    const ImagePoint corner = pointOf(event.image);
    if (corners_.empty()) add_ = addsWith(event.modifiers);
    if (corners_.empty() || corners_.back() != corner) corners_.push_back(corner);
    cursor_ = event.image;
    emit changed();
    return true;
}

bool PolygonTool::move(const ToolEvent& event) {
    if (corners_.empty()) return false;
    cursor_ = event.image;
    emit changed();
    return true;
}

bool PolygonTool::release(const ToolEvent&) {
    return !corners_.empty();
}

bool PolygonTool::doubleClick(const ToolEvent&) {
    // The first click of the two has already set the last corner.
    if (corners_.empty()) return false;
    close();
    return true;
}

bool PolygonTool::keyPress(QKeyEvent& event) {
    if (corners_.empty()) return false;
    switch (event.key()) {
        case Qt::Key_Return:
        case Qt::Key_Enter:
            close();
            return true;
        case Qt::Key_Backspace:
            corners_.pop_back();
            emit changed();
            return true;
        case Qt::Key_Escape:
            cancel();
            return true;
        default:
            return false;
    }
}

void PolygonTool::close() {
    if (corners_.size() < 3 || !ready()) return;
    const std::vector<ImagePoint> corners = std::exchange(corners_, {});
    emit changed();
    const PixelRegion region = polygon_region(imageHeight(), imageWidth(), corners);
    if (!region.empty()) sink().apply(region, add_, title());
}

void PolygonTool::cancel() {
    if (corners_.empty()) return;
    corners_.clear();
    emit changed();
}

void PolygonTool::paint(QPainter& painter, const QTransform& imageToWidget) const {
    if (corners_.empty()) return;
    const auto widget = [&](const ImagePoint& point) { return imageToWidget.map(QPointF(point.x, point.y)); };
    const QPointF first = widget(corners_.front());
    QPainterPath drawn(first), closing;
    for (const ImagePoint& corner : corners_) drawn.lineTo(widget(corner));
    closing.moveTo(widget(corners_.back()));
    if (cursor_) closing.lineTo(imageToWidget.map(*cursor_));
    closing.lineTo(first);
    haloPath(painter, closing, add_, true);
    haloPath(painter, drawn, add_);
    for (const ImagePoint& corner : corners_) {
        QPainterPath knot;
        knot.addEllipse(widget(corner), 2.5, 2.5);
        haloPath(painter, knot, add_);
    }
}

}  // namespace ks::ui
