#pragma once

#include <optional>

#include "ui/image/tools/region_tool.h"

namespace ks::ui {

/// A rectangle or an ellipse in a box that is dragged open. Shift constrains the box to a square, Alt centres
/// it on the press.
class DragTool : public RegionTool {
    Q_OBJECT
  public:
    enum class Shape { rectangle, ellipse };
    DragTool(Shape shape, QObject* parent) : RegionTool(parent), shape_(shape) {}

    QString title() const override { return shape_ == Shape::rectangle ? tr("Rectangle") : tr("Ellipse"); }
    QString hint() const override;
    bool press(const ToolEvent& event) override;
    bool move(const ToolEvent& event) override;
    bool release(const ToolEvent& event) override;
    bool keyPress(QKeyEvent& event) override;
    void cancel() override;
    void paint(QPainter& painter, const QTransform& imageToWidget) const override;

  private:
    /// Image coordinates, low.x <= high.x and low.y <= high.y.
    struct Box {
        ImagePoint low, high;
    };
    struct Drag {
        QPointF from, to;
        Qt::KeyboardModifiers modifiers;
        bool add;
    };
    static Box boxOf(const Drag& drag);
    PixelRegion regionIn(const Box& box) const;

    Shape shape_;
    std::optional<Drag> drag_;
};

}  // namespace ks::ui
