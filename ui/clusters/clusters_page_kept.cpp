// What settings, a session or a project keep of the page.

#include <QAction>
#include <QComboBox>

#include "ui/base/json_read.h"
#include "ui/clusters/clusters_page.h"
#include "ui/clusters/detector_form.h"
#include "ui/image/panel/frame_slider.h"

namespace ks::ui::clusters {
namespace {

constexpr const char* switches[] = {"outlines", "centroids"};

}  // namespace

std::optional<PageState> ClustersPage::state(Scope scope) const {
    PageState state;
    if (scope == Scope::settings) {
        state.values["modulesBy"] = quantity_->currentIndex();
        state.values["digisBy"] = colouring_->currentIndex();
        state.values["scope"] = scope_->currentIndex();
        for (const char* name : switches)
            state.values[std::string("show-") + name] = actions_.value(QLatin1String(name))->isChecked();
        return state;
    }
    if (scope != Scope::session) return std::nullopt;
    if (waiting_) return waiting_;
    state.values["charge_cut"] = detector_->cut();
    if (!file_) return state;
    if (const std::string chosen = detector_->chosenLayout(); !chosen.empty())
        state.values["layout"] = chosen;
    state.values["event"] = event_;
    if (slot_ && digis_) state.values["module"] = digis_->module(*slot_);
    return state;
}

void ClustersPage::setState(const PageState& state, Scope scope) {
    if (scope == Scope::settings) return setSettings(state.values);
    if (scope == Scope::expected) return;
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

void ClustersPage::setSettings(const nlohmann::json& kept) {
    for (const auto& [box, key] :
         {std::pair{quantity_, "modulesBy"}, std::pair{colouring_, "digisBy"}, std::pair{scope_, "scope"}}) {
        const int index = jsonInteger(kept, key, box->currentIndex());
        if (index >= 0 && index < box->count()) box->setCurrentIndex(index);
    }
    for (const char* name : switches)
        actions_.value(QLatin1String(name))
            ->setChecked(jsonBoolean(kept, (std::string("show-") + name).c_str(), true));
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
