#include "ui/clusters/step_recorder.h"

#include <algorithm>
#include <cstdint>
#include <string>
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
    asking_ = true;
    emit wanted();
    asking_ = false;
}

void StepRecorder::fill(Request& request, std::size_t slot) const {
    if (asking_) request.parameters[recordId] = static_cast<std::int64_t>(slot);
}

std::shared_ptr<const StepTrace> StepRecorder::traceOf(std::optional<std::size_t> slot) const {
    return trace_ && slot == trace_->slot() ? trace_ : nullptr;
}

void StepRecorder::setRuns(const std::vector<ShownRun>& runs, const DigiSet* digis) {
    const auto found =
        std::ranges::find_if(runs, [](const ShownRun& one) { return StepTrace::in(*one.run->run()); });
    if (!digis || found == runs.end()) return forget();
    recorded_ = *found;
    if (trace_ && trace_->run() == found->run->run()) return;
    try {
        find(*found, *digis);
        if (!trace_) forget();
    } catch (const Error& error) {
        forget();
        emit failed(error);
    }
}

void StepRecorder::forget() {
    trace_.reset();
    recorded_ = {};
}

void StepRecorder::find(const ShownRun& shown, const DigiSet& digis) {
    const std::shared_ptr<const Run>& run = shown.run->run();
    StepTrace made(run);
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

}  // namespace ks::ui::clusters
