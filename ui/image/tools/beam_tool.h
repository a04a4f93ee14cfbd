#pragma once

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

}  // namespace ks::ui
