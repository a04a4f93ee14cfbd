// What settings, a session or a project keep of the page.

#include <QAction>
#include <QScopedValueRollback>

#include "ui/base/json_read.h"
#include "ui/spots/spots_page.h"
#include "ui/spots/threshold_form.h"

namespace ks::ui::spots {
namespace {

constexpr const char* switches[] = {"signal", "boxes", "centroids", "dropped", "difference"};

}  // namespace

std::optional<PageState> SpotsPage::state(Scope scope) const {
    PageState state;
    if (scope == Scope::settings) {
        state.values = image_->settings();
        for (const char* name : switches)
            state.values[std::string("show-") + name] = actions_.value(QLatin1String(name))->isChecked();
    } else if (scope == Scope::session) {
        state.values["image"] = image_->keep();
        state.values["thresholds"] = to_json(form_->values());
        state.values["picture"] = static_cast<int>(form_->picture());
    } else {
        return std::nullopt;
    }
    return state;
}

void SpotsPage::setState(const PageState& state, Scope scope) {
    const nlohmann::json& values = state.values;
    if (scope == Scope::settings) {
        image_->setSettings(values);
        for (const char* name : switches) {
            QAction* const one = actions_.value(QLatin1String(name));
            one->setChecked(jsonBoolean(values, (std::string("show-") + name).c_str(), one->isChecked()));
        }
        return;
    }
    if (scope == Scope::expected) return image_->expect(jsonPart(values, "image"));
    const QScopedValueRollback notByHand(quiet_, true);
    try {
        if (const nlohmann::json kept = jsonPart(values, "thresholds"); kept.is_object())
            form_->apply(parameter_set_from(kept));
    } catch (const std::exception&) {
        // From another version: current values are kept.
    }
    if (scope == Scope::file || !file_) return;
    image_->bringBack(jsonPart(values, "image"));
    const int picture = jsonInteger(values, "picture", -1);
    for (const auto& info : ks::spots::intermediates())
        if (static_cast<int>(info.kind) == picture) form_->setPicture(info.kind);
}

}  // namespace ks::ui::spots
