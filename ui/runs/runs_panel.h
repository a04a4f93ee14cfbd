#pragma once

#include <QList>
#include <QWidget>
#include <vector>

class QLabel;
class QMenu;
class QTableView;

namespace ks::ui {

class RunTableModel;
struct RunRow;

/// The table of runs. Highlighted and ticked are the same: a click shows a run alone, Ctrl+click or its tick
/// box adds it. Columns fit into the width: what is cut stands in the tool tips.
class RunsPanel : public QWidget {
    Q_OBJECT
  public:
    explicit RunsPanel(RunTableModel& runs, QWidget* parent = nullptr);

    QTableView& table() { return *table_; }
    /// Number of the run of the current row; 0 where there is none.
    int currentRun() const;
    /// Of the run with that number, or of all that are ticked where it is one of several. `menu` is empty.
    void fillMenu(QMenu& menu, int number);
    /// "run 3", "runs 5, 4 and 1", "12 runs".
    static QString runsText(const QList<int>& numbers);
    QSize minimumSizeHint() const override { return {200, 80}; }

  signals:
    // Where several runs are chosen, once for each.
    void checkFullyRequested(int number);
    void repeatRequested(int number);
    /// The place of the largest error that its verdict names is to be shown.
    void placeRequested(int number);
    /// A copy of its kernel is to be edited.
    void kernelRequested(int number);
    /// Its file is to be asked for.
    void saveRequested(int number);
    /// These were taken out of the table by the menu.
    void removed(const std::vector<ks::ui::RunRow>& rows);

  private:
    void remove(const QList<int>& numbers);
    void showMenu(const QPoint& at);
    void layoutColumns();
    bool onTickBox(const QPoint& at) const;
    bool eventFilter(QObject* object, QEvent* event) override;

    RunTableModel& runs_;
    QTableView* table_;
    QLabel* empty_;
    bool pressedBox_ = false;
};

}  // namespace ks::ui
