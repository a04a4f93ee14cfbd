#include <QComboBox>
#include <QSpinBox>
#include <algorithm>
#include <nlohmann/json.hpp>

#include "ui/base/json_read.h"
#include "ui/runs/device_titles.h"
#include "ui/shell/general/choice_box.h"
#include "ui/tune/tune_form.h"

namespace ks::ui::tune {
namespace {

nlohmann::json jsonOf(const DefineValues::Values& values) {
    return nlohmann::json(values);
}

DefineValues::Values valuesFrom(const nlohmann::json& json) {
    DefineValues::Values values;
    if (!json.is_object()) return values;
    for (const auto& [name, list] : json.items())
        if (list.is_array())
            for (const nlohmann::json& one : list)
                if (one.is_string()) values[name].push_back(one.get<std::string>());
    return values;
}

}  // namespace

void TuneForm::take(const TunePlan& plan, const DeviceInfo& of) {
    chooseId(*analysis_, QString::fromStdString(plan.analysis));
    if (info().id != plan.analysis) return;
    ParameterSet sizes = defaults(info().benchmark);
    for (const auto& [id, value] : plan.sizes) sizes[id] = value;
    chosenSizes_[plan.analysis] = sizes;
    chosenVariants_[plan.analysis] = plan.variant;
    wantedDevice_ = titleAmong(catalogue_.devices, of);
    chooseId(*method_, QString::fromLatin1(name_of(plan.method)));
    chooseId(*check_, QString::fromLatin1(name_of(plan.check)));
    budget_->setValue(static_cast<int>(std::min<std::size_t>(plan.budget, 1'000'000)));
    seed_->setValue(static_cast<int>(std::min<std::uint64_t>(plan.seed, 1'000'000'000)));
    repeats_->setValue(static_cast<int>(std::min<std::size_t>(plan.repeats, 10'000)));
    showDevices();
    showAnalysis();
    if (!variant() || variant()->id != plan.variant) return;
    Choice chosen;
    for (const DefineSpec& define : variant()->defines) {
        const auto given = plan.space.find(define.name);
        if (given == plan.space.end()) continue;
        if (define.allowed.empty()) chosen.typed[define.name] = given->second;
        for (const std::string& value : define.allowed)
            if (std::ranges::find(given->second, value) == given->second.end())
                chosen.off[define.name].push_back(value);
    }
    QStringList rules;
    for (const std::string& rule : plan.rules) rules << QString::fromStdString(rule);
    chosen.rules = rules.join(QStringLiteral("; "));
    choice() = chosen;
    showVariant();
}

nlohmann::json TuneForm::keep() const {
    nlohmann::json kept = nlohmann::json::object();
    kept["analysis"] = chosenId(*analysis_);
    kept["device"] = wantedDevice_.toStdString();
    kept["method"] = chosenId(*method_);
    kept["check"] = chosenId(*check_);
    kept["budget"] = budget_->value();
    kept["seed"] = seed_->value();
    kept["repeats"] = repeats_->value();
    for (const auto& [id, sizes] : chosenSizes_) kept["sizes"][id] = ks::to_json(sizes);
    for (const auto& [id, variant] : chosenVariants_) kept["variants"][id] = variant;
    for (const auto& [of, one] : choices_) {
        nlohmann::json values = nlohmann::json::object();
        if (!one.off.empty()) values["off"] = jsonOf(one.off);
        if (!one.typed.empty()) values["typed"] = jsonOf(one.typed);
        if (!one.rules.isEmpty()) values["rules"] = one.rules.toStdString();
        if (!values.empty()) kept["values"][of.first][of.second] = values;
    }
    return kept;
}

void TuneForm::bringBack(const nlohmann::json& kept) {
    if (!kept.is_object()) return;
    wantedDevice_ = jsonText(kept, "device");
    chooseId(*method_, jsonText(kept, "method"));
    chooseId(*check_, jsonText(kept, "check"));
    budget_->setValue(jsonInteger(kept, "budget", budget_->value()));
    seed_->setValue(jsonInteger(kept, "seed", seed_->value()));
    repeats_->setValue(jsonInteger(kept, "repeats", repeats_->value()));
    if (const nlohmann::json sizes = jsonPart(kept, "sizes"); sizes.is_object())
        for (const auto& [id, one] : sizes.items()) try {
                chosenSizes_[id] = parameter_set_from(one);
            } catch (const std::exception&) {
                // as at the first start
            }
    if (const nlohmann::json variants = jsonPart(kept, "variants"); variants.is_object())
        for (const auto& [id, one] : variants.items())
            if (one.is_string()) chosenVariants_[id] = one.get<std::string>();
    if (const nlohmann::json values = jsonPart(kept, "values"); values.is_object())
        for (const auto& [id, ofAnalysis] : values.items())
            for (const auto& [variant, one] : ofAnalysis.items())
                choices_[{id, variant}] = {valuesFrom(jsonPart(one, "off")),
                                           valuesFrom(jsonPart(one, "typed")), jsonText(one, "rules")};
    chooseId(*analysis_, jsonText(kept, "analysis"));
    showDevices();
    showAnalysis();
}

}  // namespace ks::ui::tune
