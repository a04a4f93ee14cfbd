#pragma once

#include "ui/image/tools/drag_tool.h"

namespace ks::ui {

class EllipseTool : public DragTool {
    Q_OBJECT
  public:
    using DragTool::DragTool;

    QString title() const override { return tr("Ellipse"); }
    QString hint() const override;

  protected:
    PixelRegion regionIn(const Box& box) const override;
    QPainterPath outlineIn(const QRectF& widget) const override;
};

}  // namespace ks::ui
