#pragma once

#include <QAbstractTableModel>
#include <QDateTime>
#include <QString>
#include <optional>
#include <vector>

#include "core/run/request.h"
#include "ui/runs/run_table_model.h"

namespace ks::ui {

/// A run that was asked for and has not come back. All of it is as it was when it was asked for.
struct QueuedRun {
    int number = 0;  ///< that it will have in the table of runs
    Request request;
    bool alone = true;                   ///< untick the other runs when it comes back
    std::optional<RunRow> repeats = {};  ///< it is to be compared with this one
    bool ticked = true;                  ///< its result is shown when it comes back
    bool quiet = false;                  ///< who asked for it tells of its failure
    QDateTime since = {};                ///< when it was asked for
    bool running = false;
    double fraction = 0;  ///< 0 to 1, of the stage under way
    QString stage = {};
};

/// "Run 3 (host.gram on scan.h5)".
QString nameOf(const QueuedRun& entry);

/// Runs that wait for the worker, in the order in which they were asked for, the one under way first.
class RunQueue : public QAbstractTableModel {
    Q_OBJECT
  public:
    enum Column {
        NumberColumn,
        AnalysisColumn,
        VariantColumn,
        DataColumn,
        SinceColumn,
        StateColumn,
        ColumnCount
    };

    explicit RunQueue(QObject* parent = nullptr) : QAbstractTableModel(parent) {}

    void add(QueuedRun entry);
    /// The one under way; null: there is none.
    const QueuedRun* running() const;
    /// Takes up the first that waits; null where none does, or one is under way.
    const QueuedRun* begin();
    /// The one under way has not begun after all: it is the first that waits.
    void putBack();
    void setProgress(double fraction, const QString& stage);
    /// Removes an entry and returns it; nothing where there is none of that number.
    std::optional<QueuedRun> take(int number);
    /// Removes all that wait.
    void clearWaiting();
    int waiting() const;
    const std::vector<QueuedRun>& entries() const { return entries_; }

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role = Qt::DisplayRole) const override;

  signals:
    /// An entry came, went, or changed its state; not for progress.
    void changed();

  private:
    QString text(const QueuedRun& entry, int column) const;
    void tellState(int row);

    std::vector<QueuedRun> entries_;
};

}  // namespace ks::ui
