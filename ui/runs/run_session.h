#pragma once

#include <QObject>
#include <QString>
#include <deque>
#include <memory>

#include "core/base/error.h"
#include "core/devices/ceilings.h"
#include "core/run/request.h"
#include "core/run/run.h"

namespace ks::ui {

class RunTableModel;
class WorkerClient;

/// The way of a run in the window: sent to the worker, into the table when it comes back, then checked on a
/// sample as a job of its own. Checks give way to a new run and are taken up again when the worker is idle.
class RunSession : public QObject {
    Q_OBJECT
  public:
    RunSession(WorkerClient& worker, RunTableModel& runs, QObject* parent = nullptr);

    /// @param alone untick the other runs when this one comes back
    void run(const Request& request, bool alone);
    /// A run for the eye alone: it comes back by previewReady and enters no table. The newest wins: one that
    /// is under way is stopped. Does nothing while a run of run() or measureCeilings() is under way.
    void preview(const Request& request);
    bool previewing() const { return previewJob_ != 0; }
    /// Measures what a device can do at most: a job as a run is, which ends it. Does nothing while either is
    /// under way.
    void measureCeilings(const DeviceInfo& device);
    bool measuring() const { return measureJob_ != 0; }
    /// Checks all values of a run of the table.
    void checkFully(int number);
    /// Stops the run and forgets the checks that wait.
    void cancel();
    bool running() const { return runJob_ != 0; }
    bool busy() const { return runJob_ != 0 || measureJob_ != 0 || checkJob_ != 0 || !checks_.empty(); }

  signals:
    void busyChanged(bool busy, const QString& what);
    void progress(double fraction, const QString& stage);
    void runAdded(int number, std::shared_ptr<const ks::Run> run);
    void verdictChanged(int number);
    void ceilingsReady(const ks::Ceilings& ceilings);
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
    void onVerdict(int job, const Verdict& verdict);
    void onFailed(int job, const Error& error);
    void next();

    WorkerClient& worker_;
    RunTableModel& runs_;
    std::deque<Check> checks_;
    Check checking_{};
    void putCheckBack();

    int runJob_ = 0, checkJob_ = 0, previewJob_ = 0, measureJob_ = 0;
    bool alone_ = true;
};

}  // namespace ks::ui
