#pragma once

#include <QBasicTimer>
#include <QProgressBar>

namespace ks::ui {

/// A progress bar with a block that moves to and fro while the progress is unknown (range 0 to 0): the full
/// bar that styles draw in this case would look finished.
class BusyBar : public QProgressBar {
    Q_OBJECT
  public:
    explicit BusyBar(QWidget* parent = nullptr);

    bool busy() const { return minimum() == maximum(); }
    /// Position of the moving block in the bar.
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
