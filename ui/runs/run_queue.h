#pragma once

#include <QAbstractTableModel>
#include <QString>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/base/error.h"
#include "core/run/request.h"
#include "core/run/run.h"
#include "ui/runs/job_order.h"
#include "ui/runs/run_table_model.h"

namespace ks::ui {

class WorkerClient;

/// The jobs of the window. Each goes to the worker when it has its turn (JobOrder), and its results go where
/// they are wanted. A run enters the table of runs and is then checked on a sample as a separate job. As a
/// table the queue shows its runs, the one under way first.
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

    RunQueue(WorkerClient& worker, RunTableModel& runs, QObject* parent = nullptr);

    /// Joins the queue. Returns the number that the run will have in the table.
    /// @param alone untick the other runs when this one comes back
    /// @param repeats it is compared with this one: repeatReady()
    /// @param set repeats of which it is the average; without names: it is one run
    int run(const Request& request, bool alone, std::optional<RunRow> repeats = {}, RepeatSet set = {});
    /// The same for a kernel that is being tried: the caller reports its failure, from notRun().
    /// @param ticked its result is shown in addition to the others
    int tryOut(const Request& request, bool ticked);
    /// Adds a job of another kind, or several of one kind that follow each other. Without effect where the
    /// order does not accept it.
    void add(JobData job) { add(std::vector{std::move(job)}); }
    void add(std::vector<JobData> jobs);
    /// Gives up timed turns that wait or are under way.
    void dropTurns();
    /// Stops the run under way; the queue goes on with the next one. Where no run is under way: stops the job
    /// that is, and drops all that would be resumed, but for checks that have not begun.
    void cancel();
    /// Stops this run, or takes it from the queue; the others stay.
    void cancelRun(int number);
    /// Stops the run under way and empties the queue. Where no run is under way: drops the waiting checks,
    /// too.
    void cancelAll();
    /// The run under way; null: there is none.
    const QueuedRun* running() const;
    bool previewing() const { return order_.holds(jobKind<QueuedPreview>); }
    /// Peak rates are being measured.
    bool measuringCeilings() const;
    /// A measurement could start: no run is under way, nor another measurement.
    bool measurable() const { return order_.accepts(jobKind<QueuedMeasurement>); }
    /// Without runs that wait for a worker that is not there.
    bool busy() const;

    /// @param row of the table
    const QueuedRun& entry(int row) const { return rows_.at(static_cast<std::size_t>(row)); }
    /// "Run 3 (host.gram on scan.h5)".
    QString nameOf(const QueuedRun& entry) const;
    /// Runs that wait.
    int waiting() const { return rowCount() - (running() ? 1 : 0); }
    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role = Qt::DisplayRole) const override;

  signals:
    /// A run was added, has left, or has changed its state; not for progress.
    void changed();
    void busyChanged(bool busy, const QString& what);
    void progress(double fraction, const QString& stage);
    void runAdded(int number, std::shared_ptr<const ks::Run> run);
    /// The run of this number failed or was stopped: it enters no table. Before failed().
    void notRun(int number, const ks::Error& error);
    /// After runAdded(), of a run that repeats another one.
    void repeatReady(const ks::ui::RunRow& before, std::shared_ptr<const ks::Run> now);
    void verdictChanged(int number);
    /// The run of this number has more results.
    void supplemented(int number);
    void previewReady(std::shared_ptr<const ks::Run> run);
    /// The newest preview gave no result, also where a run took its place (kind `cancelled`).
    void previewFailed(const ks::Error& error);
    /// @param analysis of the run that failed; empty: it was none
    void failed(const ks::Error& error, const std::string& analysis = {});

  private:
    int enqueue(QueuedRun entry);
    void next();
    /// Gives the worker a job of the queue, whose answer ends it. The order also ends it if it fails, and
    /// fail() reports why.
    void ask(int start, WorkerJob job);

    /// Of each kind how it starts. False: it is void.
    bool begin(int start, const AskedJob& job);
    bool begin(int start, const QueuedRun& job);
    bool begin(int start, const QueuedPreview& job);
    bool begin(int start, const Supplement& job);
    bool begin(int start, const QueuedCheck& job);
    /// It has ended, whatever its outcome.
    void settle(const JobData& job);
    /// Tells those who wait for its result that there is none.
    void drop(const JobData& job, const Error& why);
    void dropAll(const std::function<bool(const JobOrder::Job&)>& wanted, const char* why);
    /// It was under way.
    void fail(const JobData& job, const Error& error);

    void takeRun(const QueuedRun& job, const std::shared_ptr<const Run>& run);
    void join(const Supplement& job, const Run& part);
    void onFailed(int start, const Error& error);
    void onProgress(int start, double fraction, const QString& id);
    /// The rows follow the order.
    void showRows();
    QString text(const QueuedRun& entry, int column) const;
    /// Name of the first file that a run reads, as the table of runs names it; empty: it reads none.
    QString dataOf(const QueuedRun& entry) const;
    /// What the run under way waits for, in words.
    void showRun();

    WorkerClient& worker_;
    RunTableModel& runs_;
    JobOrder order_;
    std::vector<QueuedRun> rows_;  ///< runs of the order, as the table shows them
    std::optional<int> running_;   ///< number of the run that the table shows as under way
    double fraction_ = 0;          ///< 0 to 1, of its stage
    QString stage_;
    bool showsBuild_ = false;  ///< the run under way waits for a build of kernels
};

}  // namespace ks::ui
