// What a session or a project saves of the page.

#include "ui/base/json_read.h"
#include "ui/clusters/clusters_page.h"
#include "ui/clusters/detector_form.h"
#include "ui/image/panel/frame_slider.h"

namespace ks::ui::clusters {

PageState ClustersPage::keep() const {
    PageState state;
    if (waiting_) return *waiting_;
    state.values["charge_cut"] = detector_->cut();
    if (!file_) return state;
    if (const std::string chosen = detector_->chosenLayout(); !chosen.empty())
        state.values["layout"] = chosen;
    state.values["event"] = event_;
    if (slot_ && digis_) state.values["module"] = digis_->module(*slot_);
    return state;
}

void ClustersPage::bringBack(const PageState& state) {
    if (const QString cut = jsonText(state.values, "charge_cut"); !cut.isEmpty())
        detector_->setCut(cut.toStdString());
    detector_->keepCutForNext();
    if (!file_) return;
    waiting_ = state;
    const std::string layout = jsonText(state.values, "layout").toStdString();
    if (!layout.empty() && layout != detector_->layout())
        detector_->setLayout(layout);  // the digis are loaded again
    else
        lookAtKept();
}

void ClustersPage::bringBackOfFile(const PageState& state) {
    bringBack(state);
}

void ClustersPage::lookAtKept() {
    if (!waiting_ || !digis_) return;
    const nlohmann::json kept = std::exchange(waiting_, std::nullopt)->values;
    const auto event = static_cast<std::size_t>(std::max(jsonInteger(kept, "event"), 0));
    if (event >= digis_->events()) return;
    events_->setFrame(static_cast<int>(event));
    const int module = jsonInteger(kept, "module", -1);
    if (module < 0) return;
    if (const auto slot = digis_->slotOf(event, static_cast<std::uint32_t>(module))) pickSlot(*slot);
}

}  // namespace ks::ui::clusters
