#pragma once

#include <QFrame>
#include <QPointer>

namespace ks::ui {

class DetectorView;

/// An opaque rounded box over a corner of the picture. Events on it do not reach the picture; those around it
/// do. It has the size of its layout and stays in its corner.
class FloatingCard : public QFrame {
    Q_OBJECT
  public:
    explicit FloatingCard(Qt::Corner corner, QWidget* parent = nullptr);

    /// The view takes ownership of the card.
    void floatOver(DetectorView* view);
    DetectorView* view() const;

  protected:
    static constexpr int distance = 8;  ///< from the border of the picture, in screen pixels

    /// Sets size and position for the view's current size.
    virtual void arrange();
    bool event(QEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;

  private:
    Qt::Corner corner_;
    QPointer<DetectorView> view_;
};

}  // namespace ks::ui
