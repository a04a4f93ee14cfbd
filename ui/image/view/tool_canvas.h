#pragma once

#include <QPointer>

#include "ui/image/tools/image_tool.h"
#include "ui/image/view/panned_canvas.h"

namespace ks::ui {

/// A canvas with one picture where a tool gets the left button and the keys first.
class ToolCanvas : public ViewportCanvas {
    Q_OBJECT
  public:
    using ViewportCanvas::ViewportCanvas;

    /// What the left button and the keys do from now on; the previous tool is cancelled. Not owned; null: the
    /// default tool. Esc leaves the tool; if something is unfinished, the first Esc discards that. A double
    /// click that the tool does not use counts as a second press for a tool that handled the first one, so
    /// that quick brush strokes do not fit the image.
    void setTool(ImageTool* tool);
    ImageTool* tool() const { return tool_; }
    /// What the left button does while no other tool is chosen. Not owned; null: nothing.
    void setDefaultTool(ImageTool* tool);
    /// A tool other than the default one is active.
    bool toolInUse() const { return tool_ && tool_ != default_; }
    /// Handles Esc for the tool in use.
    void escape(QKeyEvent& event);

    QPointF toImage(const QPointF& widget) const { return viewport_.toImage(widget); }
    QPointF toWidget(const QPointF& image) const { return viewport_.toScreen(image); }

  signals:
    void toolChanged();

  protected:
    /// Discards what is unfinished, for another picture.
    void cancelTool();
    bool takesPress(const QMouseEvent& event) override;
    bool takesRelease(const QMouseEvent& event) override;
    void updateCursor() override;
    bool event(QEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

  private:
    ToolEvent toolEvent(const QMouseEvent& event) const;
    /// There is a tool for this place of the widget.
    bool hasToolAt(const QPointF& widget) const;

    QPointer<ImageTool> tool_, default_;
    bool toolPressed_ = false;  ///< the tool handled the press: move and release go to it
    bool toolTookLast_ = false;
};

}  // namespace ks::ui
