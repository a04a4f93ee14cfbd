#pragma once

#include <QObject>
#include <QPointer>
#include <memory>
#include <optional>

#include "core/base/error.h"
#include "core/run/request.h"
#include "ui/kernels/user_kernels.h"
#include "ui/runs/run_table_model.h"

namespace ks::ui {

class PageRuns;
class RunSession;

/// Runs of kernels that are being edited: on the inputs of the page in sight, between guard zones, with a
/// check of a sample; then one of the base, where the table has none to compare with.
class KernelTrials : public QObject {
    Q_OBJECT
  public:
    /// All but the parent outlive it.
    KernelTrials(RunSession& session, RunTableModel& runs, const PageRuns& pageRuns, QObject* parent);

    /// Runs what it asks for, and tells it what came of that.
    void follow(UserKernels& kernels);

  private:
    /// The newest one that was asked for.
    struct Trial {
        QPointer<UserKernels> kernels;
        KernelTrial what;
        int number = 0;      ///< of its run
        int baseNumber = 0;  ///< of the run of its base; 0: none was asked for
        std::shared_ptr<const Run> run = {};
    };
    void start(UserKernels& kernels, const KernelTrial& what);
    void take(int number, const std::shared_ptr<const Run>& run);
    void fail(int number, const Error& error);
    /// The newest of the trial's base on the same inputs and device.
    const Run* baseOf(const Trial& trial) const;

    RunSession& session_;
    RunTableModel& runs_;
    const PageRuns& pageRuns_;
    std::optional<Trial> trial_;
};

}  // namespace ks::ui
