#pragma once

#include <QWidget>

class QLabel;
class QTableView;

namespace ks::ui {

class RunTableModel;
class TimingPlot;

/// The table of runs, and at its right the stage bars of the ticked ones on one time axis: those of the
/// analysis that is looked at, as times of different ones do not compare.
class RunsPanel : public QWidget {
    Q_OBJECT
  public:
    explicit RunsPanel(RunTableModel& runs, QWidget* parent = nullptr);

    TimingPlot& timing() { return *timing_; }
    QTableView& table() { return *table_; }
    /// Number of the run of the current row; 0 where there is none.
    int currentRun() const;

  signals:
    void checkFullyRequested(int number);
    void repeatRequested(int number);

  private:
    void showTicked();
    void showMenu(const QPoint& at);
    bool eventFilter(QObject* object, QEvent* event) override;

    RunTableModel& runs_;
    QTableView* table_;
    TimingPlot* timing_;
    QLabel* empty_;
};

}  // namespace ks::ui
