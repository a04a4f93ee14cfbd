#pragma once

#include <QFrame>
#include <QPointer>
#include <functional>
#include <vector>

class QLabel;
class QPushButton;

namespace ks::ui {

/// One stop of a tour.
struct TourStep {
    QString title, text;
    /// Place in coordinates of the window; empty: not in sight now.
    std::function<QRect()> place;
};

/// A card above the window that points at one part after the other. It deletes itself at its end.
class Tour : public QFrame {
    Q_OBJECT
  public:
    /// @param window that the tour lies above; its parent
    Tour(QWidget& window, std::vector<TourStep> steps);
    ~Tour() override;

    std::size_t step() const { return step_; }
    void next();
    void back();
    void end();

  protected:
    bool eventFilter(QObject* watched, QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;

  private:
    void show(std::size_t step);
    void arrange();

    QWidget& window_;
    std::vector<TourStep> steps_;
    std::size_t step_ = 0;
    QPointer<QWidget> frame_;  ///< around the part that is meant
    QLabel *title_, *text_, *count_;
    QPushButton *back_, *next_, *skip_;
};

}  // namespace ks::ui
