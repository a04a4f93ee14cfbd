#include "ui/runs/run_selection.h"

#include "ui/runs/run_table_model.h"

namespace ks::ui {

RunSelection::RunSelection(RunTableModel& runs, QObject* parent)
    : QItemSelectionModel(&runs, parent), runs_(runs) {
    connect(&runs_, &RunTableModel::tickedChanged, this, &RunSelection::followTicks);
    followTicks();
}

QItemSelection RunSelection::rowsOf(int first, int last) const {
    return {runs_.index(first, 0), runs_.index(last, RunTableModel::ColumnCount - 1)};
}

void RunSelection::select(const QItemSelection& selection, SelectionFlags command) {
    if (following_) return QItemSelectionModel::select(selection, command);
    // A click beside the rows is no wish to see nothing.
    if (selection.isEmpty()) return;
    const std::string chosen =
        runs_.rows()[static_cast<std::size_t>(selection.first().top())].run->request.analysis;
    QItemSelection ofOthers;
    for (int row = 0; row < runs_.rowCount(); ++row) {
        const RunRow& one = runs_.rows()[static_cast<std::size_t>(row)];
        if (one.ticked && one.run->request.analysis != chosen) ofOthers.merge(rowsOf(row, row), Select);
    }
    QItemSelectionModel::select(selection, command);
    if (!ofOthers.isEmpty()) QItemSelectionModel::select(ofOthers, Select);
    QSet<int> numbers;
    for (int row = 0; row < runs_.rowCount(); ++row)
        if (isRowSelected(row)) numbers.insert(runs_.number(row));
    runs_.tickOnly(numbers);
}

void RunSelection::followTicks() {
    QItemSelection ticked;
    for (int row = 0; row < runs_.rowCount(); ++row)
        if (runs_.rows()[static_cast<std::size_t>(row)].ticked) ticked.merge(rowsOf(row, row), Select);
    following_ = true;
    select(ticked, ClearAndSelect);
    following_ = false;
}

}  // namespace ks::ui
