#pragma once

#include <QPointF>
#include <QRectF>
#include <QWidget>
#include <optional>

#include "ui/image/view/viewport.h"

namespace ks::ui {

/// A picture that is zoomed and panned the same way everywhere: the wheel zooms at the cursor, dragging with
/// the left or the middle button pans, a double click or Home fits; + and - zoom, arrows pan. While Space is
/// held, the left button pans even where it has another purpose.
class PannedCanvas : public QWidget {
    Q_OBJECT
  public:
    static constexpr double zoomStep = 1.25;  ///< of a notch of the wheel and of a key
    static constexpr double panStep = 0.125;  ///< of a key, as a share of the shorter side

    explicit PannedCanvas(QWidget* parent);

    /// Widget pixels per unit of the picture.
    virtual double zoom() const = 0;
    virtual bool fitted() const = 0;
    /// What is under `anchor` (widget) stays in place.
    void zoomBy(double factor, const QPointF& anchor);
    /// Reads out again what is under a resting cursor: the picture, or what is said of it, is another one.
    void hoverAgain();

  public slots:
    void fit();

  protected:
    virtual bool hasPicture() const = 0;
    /// The part of the widget that shows the picture at this point; null: none. Without a point: where keys
    /// zoom.
    virtual QRectF areaAt(const std::optional<QPointF>& widget) const = 0;
    virtual void fitView() = 0;
    virtual void zoomView(double factor, const QPointF& anchor) = 0;
    /// Moves the picture by `by` widget pixels. @param began where the drag started
    virtual void panView(const QPointF& by, const QPointF& began) = 0;
    /// The user has zoomed or panned.
    virtual void viewMoved() = 0;

    /// Whether the view itself handles a button: it then neither pans nor clicks.
    virtual bool takesPress(const QMouseEvent& event);
    virtual bool takesRelease(const QMouseEvent& event);
    /// The mouse has moved, and does not pan.
    virtual void hoverAt(const QPointF& widget) = 0;
    virtual void hoverEnded() = 0;
    /// A click without a drag.
    virtual void clickedAt(const QMouseEvent& event) = 0;
    virtual void updateCursor();

    /// In widget coordinates, while the mouse is over the widget.
    const std::optional<QPointF>& mouse() const { return mouse_; }
    bool panning() const { return panning_; }
    bool spaceHeld() const { return spaceHeld_; }
    void paintFocus(QPainter& painter) const;

    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void keyReleaseEvent(QKeyEvent* event) override;
    void focusOutEvent(QFocusEvent* event) override;
    void leaveEvent(QEvent* event) override;

  private:
    struct Drag {
        QPointF began, last;
        Qt::MouseButton button;
    };
    std::optional<QPointF> mouse_;
    std::optional<Drag> drag_;
    bool panning_ = false, spaceHeld_ = false;
};

/// A canvas with one picture.
class ViewportCanvas : public PannedCanvas {
    Q_OBJECT
  public:
    using PannedCanvas::PannedCanvas;
    double zoom() const override { return viewport_.scale(); }
    bool fitted() const override { return viewport_.fitted(); }

  protected:
    QRectF areaAt(const std::optional<QPointF>&) const override { return viewport_.area(); }
    void fitView() override { viewport_.fit(); }
    void zoomView(double factor, const QPointF& anchor) override { viewport_.zoomBy(factor, anchor); }
    void panView(const QPointF& by, const QPointF&) override { viewport_.panBy(by); }

    Viewport viewport_;
};

}  // namespace ks::ui
