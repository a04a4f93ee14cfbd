#pragma once

#include <QLineF>

#include "ui/image/tools/image_tool.h"

namespace ks::ui {

/// A line for a profile: dragging draws it, Shift constrains it to a row or a column, Esc removes it.
class LineTool : public ImageTool {
    Q_OBJECT
  public:
    using ImageTool::ImageTool;

    QString title() const override { return tr("Profile along a line"); }
    QString hint() const override {
        return tr("Drag a line to plot its profile; Shift: along a row or column");
    }
    const QLineF& line() const { return line_; }

    bool press(const ToolEvent& event) override;
    bool move(const ToolEvent& event) override;
    bool release(const ToolEvent& event) override;
    void cancel() override;
    void paint(QPainter& painter, const QTransform& imageToWidget) const override;

  signals:
    /// A null line: none.
    void drawn(const QLineF& line);

  private:
    void end(const ToolEvent& event);

    QLineF line_;
    bool held_ = false;
};

}  // namespace ks::ui
