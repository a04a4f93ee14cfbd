#pragma once

#include <optional>
#include <vector>

#include "ui/image/tools/region_tool.h"

namespace ks::ui {

/// Each click adds a corner; a double click or Return closes the polygon, Backspace removes the last corner.
class PolygonTool : public RegionTool {
    Q_OBJECT
  public:
    using RegionTool::RegionTool;

    QString title() const override { return tr("Polygon"); }
    QString hint() const override;

    bool press(const ToolEvent& event) override;
    bool move(const ToolEvent& event) override;
    bool release(const ToolEvent& event) override;
    bool doubleClick(const ToolEvent& event) override;
    bool keyPress(QKeyEvent& event) override;
    void cancel() override;
    void paint(QPainter& painter, const QTransform& imageToWidget) const override;

    const std::vector<ImagePoint>& corners() const { return corners_; }

  private:
    /// Does nothing with fewer than 3 corners.
    void close();

    std::vector<ImagePoint> corners_;
    std::optional<QPointF> cursor_;  ///< image coordinates
    bool add_ = true;
};

}  // namespace ks::ui
