#pragma once

#include <QBasicTimer>
#include <QProgressBar>

namespace ks::ui {

/// A progress bar in which a block moves to and fro while nothing tells how far the work is (its range is 0
/// to 0): a bar that is full then, as styles draw it, looks like one that is done.
class BusyBar : public QProgressBar {
    Q_OBJECT
  public:
    explicit BusyBar(QWidget* parent = nullptr);

    bool busy() const { return minimum() == maximum(); }
    /// Of the moving block, in the bar.
    QRect block() const;

  protected:
    void paintEvent(QPaintEvent* event) override;
    void timerEvent(QTimerEvent* event) override;
    void showEvent(QShowEvent* event) override;
    void hideEvent(QHideEvent* event) override;

  private:
    QBasicTimer timer_;
    int step_ = 0;
};

}  // namespace ks::ui
