#pragma once

#include <QFrame>
#include <QPointer>
#include <functional>
#include <vector>

class QLabel;
class QPushButton;

namespace ks::ui {

struct TourWords {
    QString title, text;
};

/// One stop of a tour.
struct TourStep {
    std::function<TourWords()> words;
    /// Area in window coordinates; empty: not visible at the moment.
    std::function<QRect()> place;
};

/// A card above the window that points at one part after another. It deletes itself at the end.
class Tour : public QFrame {
    Q_OBJECT
  public:
    /// @param window below the tour; its parent
    /// @param picture that has the focus after the tour; null: the window itself has it, where no key changes
    /// anything
    Tour(QWidget& window, std::vector<TourStep> steps, std::function<QWidget*()> picture);
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
    std::function<QWidget*()> picture_;
    std::size_t step_ = 0;
    QPointer<QWidget> frame_;  ///< around the highlighted part
    QLabel *title_, *text_, *count_;
    QPushButton *back_, *next_, *skip_;
};

}  // namespace ks::ui
