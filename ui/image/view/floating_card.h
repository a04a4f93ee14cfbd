#pragma once

#include <QFrame>
#include <QPointer>

namespace ks::ui {

class DetectorView;

/// A rounded box above a corner of the picture, opaque: what is done on it does not reach the picture, and
/// all around it does. It has the size of its layout and stays in its corner.
class FloatingCard : public QFrame {
    Q_OBJECT
  public:
    explicit FloatingCard(Qt::Corner corner, QWidget* parent = nullptr);

    /// The view owns the card from now on.
    void floatOver(DetectorView* view);
    DetectorView* view() const { return view_; }

  protected:
    static constexpr int distance = 8;  ///< from the border of the picture, in pixels of the screen

    /// Size and place, for the view's present size.
    virtual void arrange();
    bool event(QEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;
    void contextMenuEvent(QContextMenuEvent* event) override;

  private:
    Qt::Corner corner_;
    QPointer<DetectorView> view_;
};

}  // namespace ks::ui
