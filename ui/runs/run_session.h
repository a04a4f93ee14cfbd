#pragma once

#include <QObject>
#include <QString>
#include <functional>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "core/base/error.h"
#include "core/devices/ceilings.h"
#include "core/run/request.h"
#include "core/run/run.h"
#include "ui/runs/run_queue.h"
#include "ui/runs/run_table_model.h"

namespace ks::ui {

class WorkerClient;

/// What becomes of the jobs in the queue: each goes to the worker when it has its turn, and its results go
/// where they are wanted. A run enters the table and is then checked on a sample as a separate job.
class RunSession : public QObject {
    Q_OBJECT
  public:
    RunSession(WorkerClient& worker, RunTableModel& runs, QObject* parent = nullptr);

    /// Joins the queue. Returns the number that the run will have in the table.
    /// @param alone untick the other runs when this one comes back
    /// @param repeats it is compared with this one: repeatReady()
    int run(const Request& request, bool alone, std::optional<RunRow> repeats = {});
    /// The same for a kernel that is being tried: the caller reports its failure, from notRun().
    /// @param ticked its result is shown beside the others
    int tryOut(const Request& request, bool ticked);
    /// Adds a job of another kind, or several of one kind that follow each other. Without effect where the
    /// queue does not accept it.
    void add(JobData job) { add(std::vector{std::move(job)}); }
    void add(std::vector<JobData> jobs);
    /// Builds the kernels of runs like this one, if nothing else is to be done. It is no job of the queue.
    void warm(const Request& request);
    /// Gives up timed turns that wait or are under way.
    void dropTurns();
    const RunQueue& queue() const { return queue_; }
    RunQueue& queue() { return queue_; }
    /// Stops the run under way; the queue goes on with the next one. Where no run is under way: stops the job
    /// that is, and drops all that would be resumed.
    void cancel();
    /// Stops this run, or takes it from the queue; the others stay.
    void cancelRun(int number);
    /// Stops the run under way and empties the queue.
    void cancelAll();
    bool running() const { return queue_.running() != nullptr; }
    bool previewing() const { return queue_.holds(JobKind::preview); }
    bool measuring() const { return queue_.holds(JobKind::ceilings); }
    /// A measurement could start: no run is under way, nor another measurement.
    bool measurable() const { return queue_.accepts(JobKind::sweep); }
    /// Without runs that wait for a worker that is not there.
    bool busy() const;

  signals:
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
    void ceilingsReady(const ks::Ceilings& ceilings);
    /// warm() has ended. @param built the kernels are there
    void warmed(bool built);
    void previewReady(std::shared_ptr<const ks::Run> run);
    /// The newest preview gave no result, also where a run took its place (kind `cancelled`).
    void previewFailed(const ks::Error& error);
    void failed(const ks::Error& error);

  private:
    int enqueue(QueuedRun entry);
    void next();
    /// Gives the worker a job of the queue. @param done takes its answer
    template <class Job>
    void ask(int start, Job job, std::function<void(std::shared_ptr<const typename Job::Answer>)> done,
             std::function<void(const typename Job::Part&)> part = {});

    /// Of each kind how it starts. False: it is void.
    bool begin(int start, const QueuedCeilings& job);
    bool begin(int start, const QueuedSweep& job);
    bool begin(int start, const QueuedTuning& job);
    bool begin(int start, const QueuedRun& job);
    bool begin(int start, const QueuedPreview& job);
    bool begin(int start, const Supplement& job);
    bool begin(int start, const QueuedCheck& job);
    bool begin(int start, const TimedTurns& job);
    /// Tells those who wait for its result that there is none.
    void drop(const JobData& job, const Error& why);
    void dropAll(const std::function<bool(const RunQueue::Job&)>& wanted, const char* why);
    /// It was under way.
    void fail(const JobData& job, const Error& error);

    void takeRun(const QueuedRun& job, const std::shared_ptr<const Run>& run);
    void join(const Supplement& job, const Run& part);
    void onFailed(int start, const Error& error);
    void onProgress(int start, double fraction, const QString& id);
    /// What the run under way waits for, in words.
    void showRun();

    WorkerClient& worker_;
    RunTableModel& runs_;
    RunQueue queue_;
    bool showsBuild_ = false;  ///< the run under way waits for a build of kernels
};

}  // namespace ks::ui
