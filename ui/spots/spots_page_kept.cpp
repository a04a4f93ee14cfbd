// What a session or a project saves of the page.

#include <QScopedValueRollback>

#include "ui/base/json_read.h"
#include "ui/spots/spots_page.h"
#include "ui/spots/threshold_form.h"

namespace ks::ui::spots {

PageState SpotsPage::keep() const {
    PageState state;
    state.values["image"] = image_->keep();
    state.values["thresholds"] = to_json(form_->values());
    state.values["picture"] = static_cast<int>(form_->picture());
    return state;
}

void SpotsPage::expect(const PageState& state) {
    image_->expect(jsonPart(state.values, "image"));
}

void SpotsPage::bringBack(const PageState& state) {
    bringBackOfFile(state);
    const QScopedValueRollback notByHand(quiet_, true);
    if (!file_) return;
    image_->bringBack(jsonPart(state.values, "image"));
    const int picture = jsonInteger(state.values, "picture", -1);
    for (const auto& info : ks::spots::intermediates())
        if (static_cast<int>(info.kind) == picture) form_->setPicture(info.kind);
}

void SpotsPage::bringBackOfFile(const PageState& state) {
    const QScopedValueRollback notByHand(quiet_, true);
    try {
        if (const nlohmann::json kept = jsonPart(state.values, "thresholds"); kept.is_object())
            form_->apply(parameter_set_from(kept));
    } catch (const std::exception&) {
        // From another version: current values are kept.
    }
}

}  // namespace ks::ui::spots
