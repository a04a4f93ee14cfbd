#pragma once

#include <optional>
#include <vector>

#include "core/data/calibration/calibration.h"
#include "ui/image/tools/image_tool.h"

namespace ks::ui {

/// A circle through clicked points. From three points on its centre is shown; Return or a double click makes
/// it the beam centre.
class RingFitTool : public ImageTool {
    Q_OBJECT
  public:
    using ImageTool::ImageTool;

    QString title() const override { return tr("Fit a ring"); }
    QString hint() const override {
        return tr(
            "Click three or more points on one ring; Return: use its centre, Backspace: remove a point, Esc: "
            "cancel");
    }
    const std::vector<ImagePoint>& points() const { return points_; }
    const std::optional<CircleFit>& fit() const { return fit_; }

    bool press(const ToolEvent& event) override;
    bool release(const ToolEvent& event) override;
    bool doubleClick(const ToolEvent& event) override;
    bool keyPress(QKeyEvent& event) override;
    void cancel() override;
    void paint(QPainter& painter, const QTransform& imageToWidget) const override;

  signals:
    void fitted(const ks::CircleFit& circle);
    void ended();

  private:
    void refit();
    void take();

    std::vector<ImagePoint> points_;
    std::optional<CircleFit> fit_;
};

}  // namespace ks::ui
