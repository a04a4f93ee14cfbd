#pragma once

#include <QToolButton>

namespace ks::ui {

class QueuePanel;
class RunQueue;

/// "2 waiting" in the status bar while runs are queued; a click lists them.
class QueueButton : public QToolButton {
    Q_OBJECT
  public:
    /// @param queue outlives it
    explicit QueueButton(RunQueue& queue, QWidget* parent = nullptr);

    QueuePanel& panel() { return *panel_; }

  private:
    QueuePanel* panel_;
};

}  // namespace ks::ui
