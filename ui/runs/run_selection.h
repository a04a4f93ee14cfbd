#pragma once

#include <QItemSelectionModel>

namespace ks::ui {

class RunTableModel;

/// The selection of a table of runs, which is the same as its ticks: a run that is chosen alone unticks the
/// others of its analysis (those of other analyses are shown on their own pages), and ticks that come from
/// elsewhere are highlighted.
class RunSelection : public QItemSelectionModel {
    Q_OBJECT
  public:
    explicit RunSelection(RunTableModel& runs, QObject* parent = nullptr);

    using QItemSelectionModel::select;
    void select(const QItemSelection& selection, SelectionFlags command) override;

  private:
    void followTicks();
    QItemSelection rowsOf(int first, int last) const;

    RunTableModel& runs_;
    bool following_ = false;
};

}  // namespace ks::ui
