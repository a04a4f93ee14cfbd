// What a session or a project saves of the page.

#include <QScopedValueRollback>

#include "ui/base/json_read.h"
#include "ui/particles/cost_panel.h"
#include "ui/particles/particles_page.h"
#include "ui/particles/sum_form.h"

namespace ks::ui::particles {

PageState ParticlesPage::keep() const {
    if (waiting_) return *waiting_;
    PageState state;
    ParameterSet sums;
    form_->fill(sums);
    state.values["sums"] = to_json(sums);
    if (const nlohmann::json cost = cost_->keep(); !cost.empty()) state.values["cost"] = cost;
    return state;
}

// The box of the sources would move the planes, so the saved state is applied after it.
void ParticlesPage::bringBack(const PageState& state) {
    if (const nlohmann::json cost = jsonPart(state.values, "cost"); cost.is_object()) cost_->bringBack(cost);
    waiting_ = state;
    if (!file_ || sources_) takeKept();
}

void ParticlesPage::bringBackOfFile(const PageState& state) {
    bringBack(state);
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
