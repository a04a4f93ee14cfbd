#pragma once

#include <QItemSelectionModel>

namespace ks::ui {

class RunTableModel;

/// The selection of a table of runs, which is the same as the ticks of one analysis: that of the page, or of
/// the run that was clicked last. A run that is chosen alone unticks the others of its analysis; those of
/// other analyses stay ticked for their own pages, and are not highlighted.
class RunSelection : public QItemSelectionModel {
    Q_OBJECT
  public:
    explicit RunSelection(RunTableModel& runs, QObject* parent = nullptr);

    using QItemSelectionModel::select;
    void select(const QItemSelection& selection, SelectionFlags command) override;

  private:
    void followTicks();
    void highlight();
    QString analysisAt(int row) const;
    /// The analysis whose runs are chosen: the one that is highlighted where the selection has runs of it.
    QString chosenIn(const QItemSelection& selection) const;
    QItemSelection rowsOf(int first, int last) const;

    RunTableModel& runs_;
    QString highlighted_;  ///< analysis whose ticked runs are highlighted; empty: those of all
    bool following_ = false, choosing_ = false;
};

}  // namespace ks::ui
