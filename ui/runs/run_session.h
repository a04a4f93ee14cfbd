#pragma once

#include <QObject>
#include <QString>
#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "core/base/error.h"
#include "core/devices/ceilings.h"
#include "core/run/bench.h"
#include "core/run/request.h"
#include "core/run/run.h"
#include "core/tune/tuner.h"
#include "ui/runs/run_queue.h"
#include "ui/runs/run_table_model.h"

namespace ks::ui {

class WorkerClient;

/// More results for a run of the table, computed by a job of its own.
struct Supplement {
    int number = 0;   ///< of the run
    Request request;  ///< of the job
    QString what;     ///< for the progress: "two-time of bin 4"
    /// The run with what the job brought. Throws ks::Error(run) where it did not bring it.
    std::function<std::shared_ptr<const Run>(const Run& run, const Run& part)> join;
    /// Called once, when the run has what was wanted or never will; `why` tells of the second: of kind
    /// `cancelled` where it was given up. Null: nobody asks.
    std::function<void(const std::optional<Error>& why)> ended = nullptr;
};

/// Variants whose runs are timed in turn, so that noise hits all of them alike.
struct TimedTurns {
    BenchPlan plan;
    QString what;  ///< for the progress: "timing user.mine and its base"
    std::function<void(const BenchReport&)> ready;
    /// They never come: of kind `cancelled` where they were given up.
    std::function<void(const Error&)> failed;
};

/// The way of a run in the window: into the queue, to the worker when its turn comes, into the table when it
/// comes back, then checked on a sample as a job of its own. Runs go before supplements, these before checks;
/// what gives way to a run is taken up again when the queue is empty. Timed turns come last of all.
class RunSession : public QObject {
    Q_OBJECT
  public:
    RunSession(WorkerClient& worker, RunTableModel& runs, QObject* parent = nullptr);

    /// Joins the queue. Returns the number that the run will have in the table.
    /// @param alone untick the other runs when this one comes back
    /// @param repeats it is compared with this one: repeatReady()
    int run(const Request& request, bool alone, std::optional<RunRow> repeats = {});
    /// The same for a kernel that is being tried: whoever asks tells of its failure, from notRun().
    /// @param ticked its result is shown beside the others
    int tryOut(const Request& request, bool ticked);
    const RunQueue& queue() const { return queue_; }
    RunQueue& queue() { return queue_; }
    /// A run for the eye alone: it comes back by previewReady and enters no table. The newest wins: one that
    /// is under way is stopped. Does nothing while a run of run() or measureCeilings() is under way.
    void preview(const Request& request);
    bool previewing() const { return previewJob_ != 0; }
    /// The newest wins: one that waits or is under way is given up.
    void supplement(Supplement wanted);
    bool supplementing() const { return partJob_ != 0; }
    /// Measures what a device can do at most: a job that runs wait for. Does nothing while a run or another
    /// one is under way.
    void measureCeilings(const DeviceInfo& device);
    bool measuring() const { return measureJob_ != 0; }
    /// Times variants, plan after plan: jobs that runs wait for, as for ceilings. One that fails does not
    /// keep the next ones from their turn; one that is cancelled does. Does nothing while a run or another
    /// one is under way.
    void sweep(std::vector<BenchPlan> plans);
    bool sweeping() const { return sweepJob_ != 0; }
    /// The newest wins: of one that waits or is under way, failed() tells. Runs and checks go first; what
    /// gives way to them begins anew.
    void timeInTurn(TimedTurns wanted);
    /// Gives up those that wait or are under way.
    void dropTurns();
    /// Tries configurations of a variant: a job that runs wait for, as for ceilings. Does nothing while a run
    /// or another one is under way.
    /// @param before what was tried already; null: nothing
    void tune(const TunePlan& plan, std::shared_ptr<const TuneReport> before);
    bool tuning() const { return tuneJob_ != 0; }
    /// A job that runs wait for is under way: ceilings, a benchmark or a tuning.
    bool measured() const { return measureJob_ != 0 || sweepJob_ != 0 || tuneJob_ != 0; }
    /// Builds the kernels of runs like this one, where nothing else is to be done; nobody is told.
    void warm(const Request& request);
    /// Checks all values of a run of the table.
    void checkFully(int number);
    /// Stops the run under way; the queue goes on with the next one. Where no run is under way: stops what
    /// is, and forgets the checks that wait.
    void cancel();
    /// Stops this run, or takes it from the queue; the others stay.
    void cancelRun(int number);
    /// Stops the run under way and empties the queue.
    void cancelAll();
    bool running() const { return runJob_ != 0; }
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
    /// The next plan has begun, or all have ended.
    void sweepChanged(bool running);
    void sweepRow(std::size_t point, const ks::ParameterSet& sizes, const ks::BenchRow& row);
    void sweepReady(const ks::BenchReport& report);
    void tuningChanged(bool running);
    /// A configuration was tried: the report with its rows from number `first` on.
    void tunePart(std::size_t first, const ks::TuneReport& part);
    void tuneReady(const ks::TuneReport& report);
    void previewReady(std::shared_ptr<const ks::Run> run);
    /// The newest preview gave no result, also where a run took its place (kind `cancelled`).
    void previewFailed(const ks::Error& error);
    void failed(const ks::Error& error);

  private:
    struct Check {
        int number;
        CheckMode mode;
    };
    void onRun(int job, std::shared_ptr<const Run> run);
    void onPart(const std::shared_ptr<const Run>& part);
    /// Nothing waits or is under way any more.
    void endPart(const std::optional<Error>& why);
    void giveUpTurns();
    void endTurns(const Error& why);
    void onTurns(const BenchReport& report);
    void onVerdict(int job, const Verdict& verdict);
    void onFailed(int job, const Error& error);
    void onProgress(int job, double fraction, const QString& stage);
    void runFailed(const Error& error);
    void next();
    /// What the run that is under way waits for, in words.
    void showRun();
    bool startRun();
    bool startPart();
    bool startCheck();
    bool startTurns();
    int enqueue(QueuedRun entry);
    void startSweep();
    /// The next plan's turn has come, or nothing is left.
    void endSweep();
    void giveWay();

    WorkerClient& worker_;
    RunTableModel& runs_;
    RunQueue queue_;
    std::deque<Check> checks_;
    Check checking_{};
    std::optional<Supplement> part_;   ///< waits or is under way
    std::optional<TimedTurns> turns_;  ///< wait or are under way
    std::deque<BenchPlan> plans_;      ///< of sweep(), that wait

    int runJob_ = 0, checkJob_ = 0, previewJob_ = 0, measureJob_ = 0, partJob_ = 0, sweepJob_ = 0,
        turnsJob_ = 0, tuneJob_ = 0;
};

}  // namespace ks::ui
