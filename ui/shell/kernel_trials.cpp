#include "ui/shell/kernel_trials.h"

#include <algorithm>

#include "ui/runs/run_session.h"
#include "ui/runs/same_inputs.h"
#include "ui/shell/page_runs.h"

namespace ks::ui {

KernelTrials::KernelTrials(RunSession& session, RunTableModel& runs, const PageRuns& pageRuns,
                           QObject* parent)
    : QObject(parent), session_(session), runs_(runs), pageRuns_(pageRuns) {
    connect(&session_, &RunSession::runAdded, this, &KernelTrials::take);
    connect(&session_, &RunSession::notRun, this, &KernelTrials::fail);
}

void KernelTrials::follow(UserKernels& kernels) {
    connect(&kernels, &UserKernels::trialWanted, this,
            [this, &kernels](const KernelTrial& what) { start(kernels, what); });
}

void KernelTrials::start(UserKernels& kernels, const KernelTrial& what) {
    try {
        Request request = pageRuns_.makeRequest();
        if (request.analysis != what.analysis.toStdString())
            throw Error(ErrorKind::input, "the page in sight works with another analysis",
                        what.analysis.toStdString(), "show the page of the kernel");
        request.variant = what.id.toStdString();
        request.defines.clear();
        request.guarded = true;
        request.check = CheckMode::sample;
        trial_ = Trial{&kernels, what};
        kernels.setRunning(tr("Building and running ..."));
        // The run may fail at once.
        trial_->number = session_.run(request, false);
    } catch (const Error& error) {
        kernels.setError(error);
    }
}

const Run* KernelTrials::baseOf(const Trial& trial) const {
    const std::string id = trial.what.base.toStdString();
    const auto found = std::ranges::find_if(runs_.rows(), [&](const RunRow& row) {
        return row.run->variant.id == id && row.run->device.name == trial.run->device.name &&
               sameInputs(row.run->request, trial.run->request);
    });
    return found == runs_.rows().end() ? nullptr : found->run.get();
}

void KernelTrials::take(int number, const std::shared_ptr<const Run>& run) {
    if (!trial_ || !trial_->kernels) return;
    const bool own = number == trial_->number, base = number == trial_->baseNumber;
    if (own) trial_->run = run;
    if (!trial_->run || (!own && !base)) return;
    const Run* const other = baseOf(*trial_);
    trial_->kernels->setResult(*trial_->run, other);
    if (other || base) return;
    Request request = trial_->run->request;
    request.variant = trial_->what.base.toStdString();
    request.kernel_source.clear();
    request.kernel_file.clear();
    request.defines.clear();
    request.check = CheckMode::none;
    trial_->baseNumber = session_.run(request, false);
}

void KernelTrials::fail(int number, const Error& error) {
    if (trial_ && trial_->kernels && number == trial_->number) trial_->kernels->setError(error);
}

}  // namespace ks::ui
