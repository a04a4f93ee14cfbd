#pragma once

#include <QAbstractTableModel>
#include <QString>
#include <functional>
#include <optional>
#include <vector>

#include "ui/runs/queued_job.h"

namespace ks::ui {

/// "Run 3 (host.gram on scan.h5)".
QString nameOf(const QueuedRun& entry);

/// All jobs of the window that wait for the worker, and the one under way, in the order of urgency and then
/// of arrival. Which one has its turn follows from jobRules. As a table it shows the runs among them.
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
    struct Job {
        JobData data;
        std::optional<int> start = {};  ///< number of its start, while it is under way
    };
    struct Turn {
        int start = 0;                            ///< number of the start of the job that has its turn
        std::optional<JobData> interrupted = {};  ///< by it; it still waits where its kind is resumed
    };

    explicit RunQueue(QObject* parent = nullptr) : QAbstractTableModel(parent) {}

    /// Whether a job of this kind may be added now.
    bool accepts(JobKind kind) const;
    /// Returns the jobs whose place it takes, which are in the queue no more.
    std::vector<JobData> add(JobData job);
    /// Starts the next job, if it has its turn. It stays in the queue until end(). @param hasWorker there is
    /// one to do it
    std::optional<Turn> next(bool hasWorker);
    /// The job of this start, if it is still under way; else null.
    const Job* find(int start) const;
    /// Takes it out; nothing where it is not under way any more.
    std::optional<JobData> end(int start);
    /// The job under way has not begun after all: it waits again.
    void putBack();
    /// Takes out all jobs, whether they wait or are under way, of which `wanted` is true.
    std::vector<JobData> take(const std::function<bool(const Job&)>& wanted);
    const std::vector<Job>& jobs() const { return jobs_; }
    /// Null: there is none.
    const Job* underWay() const;
    bool holds(JobKind kind) const;

    /// The run under way; null: there is none.
    const QueuedRun* running() const;
    /// @param row of the table
    const QueuedRun& run(int row) const;
    /// Of the run under way.
    void setProgress(double fraction, const QString& stage);
    /// Runs that wait.
    int waiting() const;

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role = Qt::DisplayRole) const override;

  signals:
    /// A run was added, has left, or has changed its state; not for progress.
    void changed();

  private:
    /// Of the first run, or where it would be.
    std::size_t firstRun() const;
    void insert(JobData job);
    JobData remove(std::size_t at);
    void setStart(std::size_t at, std::optional<int> start);
    void tellState(int row);

    std::vector<Job> jobs_;
    int starts_ = 0;
};

}  // namespace ks::ui
