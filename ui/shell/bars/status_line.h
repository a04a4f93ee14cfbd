#pragma once

#include <QObject>
#include <QString>

#include "ui/base/time_left.h"

class QLabel;
class QProgressBar;
class QStatusBar;
class QToolButton;

namespace ks::ui {

class ElidedLabel;
class QueuePanel;
class RunQueue;

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
    /// Jobs of the window itself, which show while the queue is idle.
    void setJobs(int running);
    QueuePanel& queuePanel() { return *queuePanel_; }

  private:
    QToolButton* makeQueueButton(RunQueue& queue);
    void showBusy(bool busy, const QString& what);
    void showProgress(double fraction, const QString& stage);

    const RunQueue& queue_;
    QLabel *cursor_, *mark_, *stage_;
    ElidedLabel* hint_;
    QProgressBar* progress_;
    QueuePanel* queuePanel_ = nullptr;
    int jobs_ = 0;
    TimeLeft timeLeft_;  ///< of the reported stage
    QString told_;       ///< of the run, before its stages
};

}  // namespace ks::ui
