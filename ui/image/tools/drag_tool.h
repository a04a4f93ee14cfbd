#pragma once

#include <optional>

#include "ui/image/tools/region_tool.h"

namespace ks::ui {

/// A shape in a box that is dragged open. Shift constrains the box to a square, Alt centres it on the press.
class DragTool : public RegionTool {
    Q_OBJECT
  public:
    using RegionTool::RegionTool;

    bool press(const ToolEvent& event) override;
    bool move(const ToolEvent& event) override;
    bool release(const ToolEvent& event) override;
    bool keyPress(QKeyEvent& event) override;
    void cancel() override;
    void paint(QPainter& painter, const QTransform& imageToWidget) const override;

  protected:
    /// Image coordinates, low.x <= high.x and low.y <= high.y.
    struct Box {
        ImagePoint low, high;
    };
    virtual PixelRegion regionIn(const Box& box) const = 0;
    /// Outline of the shape in this rectangle of the widget.
    virtual QPainterPath outlineIn(const QRectF& widget) const = 0;

  private:
    struct Drag {
        QPointF from, to;
        Qt::KeyboardModifiers modifiers;
        bool add;
    };
    static Box boxOf(const Drag& drag);

    std::optional<Drag> drag_;
};

}  // namespace ks::ui
