// What settings, a session or a project keep of the page.

#include <QAction>
#include <QComboBox>
#include <QScopedValueRollback>

#include "ui/base/json_read.h"
#include "ui/particles/cost_panel.h"
#include "ui/particles/map_form.h"
#include "ui/particles/particles_page.h"
#include "ui/particles/sum_form.h"

namespace ks::ui::particles {
namespace {

constexpr const char* switches[] = {"sources", "isolines"};

}  // namespace

std::optional<PageState> ParticlesPage::state(Scope scope) const {
    PageState state;
    if (scope == Scope::settings) {
        state.values = look_->settings();
        state.values["part"] = part_->currentIndex();
        state.values["scale"] = scaleBefore_ >= 0 ? scaleBefore_ : scale_->currentIndex();
        state.values["cost-sizes"] = cost_->typedSizes().toStdString();
        for (const char* name : switches)
            state.values[std::string("show-") + name] = actions_.value(QLatin1String(name))->isChecked();
        return state;
    }
    if (scope != Scope::session) return std::nullopt;
    if (waiting_) return waiting_;
    ParameterSet sums;
    form_->fill(sums);
    state.values["sums"] = to_json(sums);
    if (const nlohmann::json cost = cost_->keep(); !cost.empty()) state.values["cost"] = cost;
    return state;
}

// The box of the sources would move the planes, so the saved state is applied after it.
void ParticlesPage::setState(const PageState& state, Scope scope) {
    if (scope == Scope::settings) return setSettings(state.values);
    if (scope == Scope::expected) return;
    if (const nlohmann::json cost = jsonPart(state.values, "cost"); cost.is_object()) cost_->bringBack(cost);
    waiting_ = state;
    if (!file_ || sources_) takeKept();
}

void ParticlesPage::setSettings(const nlohmann::json& kept) {
    look_->setSettings(kept);
    cost_->setSizes(jsonText(kept, "cost-sizes"));
    for (const auto& [box, key] : {std::pair{part_, "part"}, std::pair{scale_, "scale"}}) {
        const int index = jsonInteger(kept, key, box->currentIndex());
        if (index >= 0 && index < box->count()) box->setCurrentIndex(index);
    }
    for (const char* name : switches) {
        QAction* const one = actions_.value(QLatin1String(name));
        one->setChecked(jsonBoolean(kept, (std::string("show-") + name).c_str(), one->isChecked()));
    }
}

void ParticlesPage::takeKept() {
    if (!waiting_) return;
    const QScopedValueRollback restoring(restoring_, true);
    const nlohmann::json kept = std::exchange(waiting_, std::nullopt)->values;
    try {
        if (const nlohmann::json sums = jsonPart(kept, "sums"); sums.is_object())
            form_->apply(parameter_set_from(sums));
    } catch (const std::exception&) {
        // From another version: current values are kept.
    }
}

}  // namespace ks::ui::particles
