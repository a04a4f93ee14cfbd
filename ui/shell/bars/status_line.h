#pragma once

#include <QBasicTimer>
#include <QElapsedTimer>
#include <QObject>
#include <QProgressBar>
#include <QString>
#include <cmath>

class QLabel;
class QProgressBar;
class QStatusBar;
class QToolButton;

namespace ks::ui {

class ElidedLabel;
class NoticeBar;
class QueuePanel;
class RunQueue;

/// Estimates the remaining time of a stage that reports its progress from the time elapsed.
class TimeLeft {
  public:
    /// @param fraction of the stage that is done, 0 to 1
    /// @return "correlate", after a second with the remaining time: "correlate, 12 s left"
    QString text(double fraction, const QString& stage) {
        if (stage != stage_ || fraction < fraction_ || !since_.isValid()) {
            stage_ = stage;
            since_.start();
            begun_ = fraction;
        }
        fraction_ = fraction;
        return withRest(static_cast<double>(since_.elapsed()) / 1000);
    }
    /// Name of the stage, with the remaining time if `seconds` have passed since it began.
    QString withRest(double seconds) const {
        const double done = fraction_ - begun_;
        if (seconds < 1 || done < 0.01 || fraction_ >= 1) return stage_;
        const double left = seconds * (1 - fraction_) / done;
        return left < 100 ? QObject::tr("%1, %2 s left").arg(stage_).arg(std::ceil(left))
                          : QObject::tr("%1, %2 min left").arg(stage_).arg(std::ceil(left / 60));
    }

  private:
    QString stage_;
    QElapsedTimer since_;
    double begun_ = 0, fraction_ = 0;
};

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

/// The parts of the window's status bar: values under the cursor, hint of the tool, whether the result
/// matches the inputs, the work in progress, and the queue.
class StatusLine : public QObject {
    Q_OBJECT
  public:
    /// Follows the queue. Both outlive it.
    StatusLine(RunQueue& queue, QStatusBar& bar);

    void setCursor(const QString& text);
    void setHint(const QString& text);
    /// The displayed result is outdated; empty: it is not.
    void setMark(const QString& shorter, const QString& whole);
    /// They take the place of the hint while there are any.
    void setNotices(NoticeBar& notices);
    QWidget& hint();
    /// Jobs of the window itself, which show while the queue is idle.
    void setJobs(int running);
    QueuePanel& queuePanel() { return *queuePanel_; }

  private:
    QToolButton* makeQueueButton(RunQueue& queue);
    void showBusy(bool busy, const QString& what);
    void showProgress(double fraction, const QString& stage);

    const RunQueue& queue_;
    QStatusBar& bar_;
    QLabel *cursor_, *mark_, *stage_;
    ElidedLabel* hint_;
    QProgressBar* progress_;
    QueuePanel* queuePanel_ = nullptr;
    int jobs_ = 0;
    TimeLeft timeLeft_;  ///< of the reported stage
    QString told_;       ///< of the run, before its stages
};

}  // namespace ks::ui
