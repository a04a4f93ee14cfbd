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

QString RunSelection::analysisAt(int row) const {
    return QString::fromStdString(runs_.rows()[static_cast<std::size_t>(row)].run->request.analysis);
}

QString RunSelection::chosenIn(const QItemSelection& selection) const {
    for (const QItemSelectionRange& range : selection)
        for (int row = range.top(); row <= range.bottom(); ++row)
            if (analysisAt(row) == highlighted_) return highlighted_;
    return analysisAt(selection.first().top());
}

void RunSelection::select(const QItemSelection& selection, SelectionFlags command) {
    if (following_) return QItemSelectionModel::select(selection, command);
    // A click beside the rows is no wish to see nothing.
    if (selection.isEmpty()) return;
    const QString chosen = chosenIn(selection);
    // Ctrl+click adds to the ticked runs of that analysis, also where those of another one are highlighted.
    if (!highlighted_.isEmpty() && chosen != highlighted_) {
        highlighted_ = chosen;
        highlight();
    }
    QItemSelectionModel::select(selection, command);
    QSet<int> numbers;
    for (int row = 0; row < runs_.rowCount(); ++row)
        if (analysisAt(row) == chosen ? isRowSelected(row)
                                      : runs_.rows()[static_cast<std::size_t>(row)].ticked)
            numbers.insert(runs_.number(row));
    choosing_ = true;
    runs_.tickOnly(numbers);
    choosing_ = false;
    highlight();
}

void RunSelection::followTicks() {
    if (choosing_) return;
    highlighted_ = runs_.analysis();
    highlight();
}

void RunSelection::highlight() {
    QItemSelection ticked;
    for (int row = 0; row < runs_.rowCount(); ++row)
        if (runs_.rows()[static_cast<std::size_t>(row)].ticked &&
            (highlighted_.isEmpty() || analysisAt(row) == highlighted_))
            ticked.merge(rowsOf(row, row), Select);
    following_ = true;
    select(ticked, ClearAndSelect);
    following_ = false;
}

}  // namespace ks::ui
