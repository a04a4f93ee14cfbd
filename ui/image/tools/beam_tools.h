#pragma once

#include <optional>
#include <vector>

#include "core/data/calibration/calibration.h"
#include "ui/image/tools/image_tool.h"

namespace ks::ui {

/// The beam centre follows the mouse while the button is held. Arrow keys move it by 0.1 pixel, with Shift
/// by one pixel.
class BeamTool : public ImageTool {
    Q_OBJECT
  public:
    using ImageTool::ImageTool;

    QString title() const override { return tr("Beam centre"); }
    QString hint() const override {
        return tr("Click or drag the beam centre; arrow keys: move by 0.1 px (Shift: 1 px), Esc: done");
    }
    /// Start position for the keys.
    void setBeam(const QPointF& at) { at_ = at; }

    bool press(const ToolEvent& event) override;
    bool move(const ToolEvent& event) override;
    bool release(const ToolEvent& event) override;
    bool keyPress(QKeyEvent& event) override;
    void cancel() override;

  signals:
    void moved(const QPointF& image, bool final);
    void ended();

  private:
    QPointF at_, before_;
    bool held_ = false;
};

/// A ring through clicked points, which is an ellipse if pixels are not square. From three points on its
/// centre is shown; Return or a double click makes it the beam centre.
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
    /// fit_ring()
    const std::optional<CircleFit>& fit() const { return fit_; }
    /// Geometry::aspect() of the pixels.
    void setAspect(double aspect);
    /// The ring of a fit in the image.
    RingAxes axesOf(const CircleFit& fit) const;

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
    double aspect_ = 1;
};

}  // namespace ks::ui
