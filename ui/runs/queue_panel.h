#pragma once

#include <QFrame>

class QPushButton;
class QTableView;

namespace ks::ui {

class RunQueue;

/// The runs that wait and the one under way, each of which can be cancelled. A popup of the status bar.
class QueuePanel : public QFrame {
    Q_OBJECT
  public:
    explicit QueuePanel(RunQueue& queue, QWidget* parent = nullptr);

    QTableView& table() { return *table_; }
    QPushButton& cancelButton() { return *cancel_; }
    /// Number of the run of the current row; 0 where there is none.
    int currentRun() const;

  signals:
    void cancelAllRequested();

  private:
    void showMenu(const QPoint& at);
    void updateButtons();

    RunQueue& queue_;
    QTableView* table_;
    QPushButton *cancel_, *cancelAll_;
};

}  // namespace ks::ui
