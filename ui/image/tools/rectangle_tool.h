#pragma once

#include "ui/image/tools/drag_tool.h"

namespace ks::ui {

class RectangleTool : public DragTool {
    Q_OBJECT
  public:
    using DragTool::DragTool;

    QString title() const override { return tr("Rectangle"); }
    QString hint() const override;

  protected:
    PixelRegion regionIn(const Box& box) const override;
    QPainterPath outlineIn(const QRectF& widget) const override;
};

}  // namespace ks::ui
