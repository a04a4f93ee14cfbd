#include "ui/clusters/step_recorder.h"

#include <QTimer>
#include <algorithm>
#include <utility>

#include "core/run/user/shown_variant.h"
#include "ui/clusters/core_clusters.h"
#include "ui/clusters/digi_set.h"
#include "ui/clusters/run_clusters.h"

namespace ks::ui::clusters {
namespace {

const std::string recordId = "record";

}  // namespace

bool StepRecorder::isPossible() {
    return std::ranges::any_of(ks::clusters::analysis_info().parameters,
                               [](const ParameterSpec& spec) { return spec.id == recordId; });
}

void StepRecorder::start() {
    completing_ = true;
    ask(std::nullopt);
}

void StepRecorder::ask(const std::optional<std::string>& variant) {
    variant_ = variant;
    asking_ = true;
    emit wanted();
    asking_ = false;
}

void StepRecorder::fill(Request& request, std::size_t slot) const {
    if (!asking_) return;
    request.parameters[recordId] = static_cast<std::int64_t>(slot);
    if (variant_) request.variant = *variant_;
}

std::shared_ptr<const StepTrace> StepRecorder::traceOf(std::optional<std::size_t> slot) const {
    return trace_ && slot == trace_->slot() ? trace_ : nullptr;
}

void StepRecorder::setRuns(const std::vector<ShownRun>& runs, const DigiSet* digis,
                           std::optional<std::size_t> slot) {
    const auto found =
        std::ranges::find_if(runs, [](const ShownRun& one) { return StepTrace::in(*one.run->run()); });
    if (!digis || found == runs.end()) {
        trace_.reset();
        return;
    }
    if (trace_ && trace_->run() == found->run->run()) return complete(slot);
    try {
        find(*found, *digis);
        complete(slot);
    } catch (const Error& error) {
        trace_.reset();
        emit failed(error);
    }
}

void StepRecorder::find(const ShownRun& shown, const DigiSet& digis) {
    const std::shared_ptr<const Run>& run = shown.run->run();
    StepTrace made(run);
    if (trace_) made = made.completedBy(*trace_);
    // The trace may have been recorded in another layout, where modules have other slots.
    const auto slotOfRow = digis.digis().slot();
    const bool same = made.size() > 0 && slotOfRow[static_cast<std::size_t>(made.row(0))] == made.slot();
    trace_ = same ? std::make_shared<const StepTrace>(std::move(made)) : nullptr;
    if (trace_)
        name_ = tr("Module %1, run %2, %3")
                    .arg(digis.module(trace_->slot()))
                    .arg(shown.run->number())
                    .arg(QString::fromStdString(shown_variant(*run)));
}

void StepRecorder::complete(std::optional<std::size_t> slot) {
    const auto here = traceOf(slot);
    if (!completing_ || !here) return;
    completing_ = false;
    if (here->hasLabels() && here->hasParents()) return;
    // The session is still busy with the run that just arrived.
    QTimer::singleShot(0, this, [this] { ask(ks::clusters::analysis_info().reference); });
}

}  // namespace ks::ui::clusters
