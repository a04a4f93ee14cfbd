#include "core/devices/ceilings.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/base/formats.h"
#include "core/base/quantile.h"
#include "core/wire/wire.h"
#include "core/wire/wire_guard.h"

namespace ks {
namespace {

nlohmann::json to_json(const Ceiling& ceiling) {
    return {{"id", ceiling.id},
            {"label", ceiling.label},
            {"unit", ceiling.unit},
            {"sample", ceiling.sample},
            {"amount", ceiling.amount},
            {"median", ceiling.median()},
            {"lower_quartile", ceiling.at_quantile(0.25)},
            {"upper_quartile", ceiling.at_quantile(0.75)},
            {"samples", ceiling.samples}};
}

Ceiling ceiling_from(const nlohmann::json& json) {
    Ceiling ceiling;
    ceiling.id = wire::text_from(json, "id");
    ceiling.label = wire::text_from(json, "label");
    ceiling.unit = wire::text_from(json, "unit");
    ceiling.sample = wire::text_from(json, "sample");
    ceiling.amount = json.at("amount").get<double>();
    ceiling.samples = json.at("samples").get<std::vector<double>>();
    const auto sound = [](double value) { return std::isfinite(value) && value > 0; };
    if (ceiling.samples.empty() || !std::ranges::all_of(ceiling.samples, sound))
        throw Error(ErrorKind::run,
                    "expected samples above 0 of " + ceiling.id + ", found " + json.at("samples").dump());
    return ceiling;
}

}  // namespace

double Ceiling::median() const {
    return at_quantile(0.5);
}

double Ceiling::at_quantile(double q) const {
    return quantile(samples, q);
}

const Ceiling* Ceilings::find(const std::string& id) const {
    const auto at = std::ranges::find(values, id, &Ceiling::id);
    return at == values.end() ? nullptr : &*at;
}

double Ceilings::median(const std::string& id) const {
    const Ceiling* ceiling = find(id);
    return ceiling == nullptr ? std::numeric_limits<double>::quiet_NaN() : ceiling->median();
}

nlohmann::json to_json(const Ceilings& ceilings) {
    nlohmann::json values = nlohmann::json::array();
    for (const Ceiling& ceiling : ceilings.values) values.push_back(to_json(ceiling));
    return {{"program", "kernelscope-cli"},
            {format_key, formats::ceilings.version},
            {"version", ceilings.version},
            {"started", ceilings.started},
            {"device", wire::to_json(ceilings.device)},
            {"driver", ceilings.device.driver},
            {"program_hash", ceilings.program_hash},
            {"ceilings", values}};
}

Ceilings ceilings_from(const nlohmann::json& json) {
    return wire::guarded("ceilings", [&] {
        if (json.contains(format_key))
            require_known(formats::ceilings, json.at(format_key).dump(), "ceilings");
        Ceilings ceilings;
        ceilings.version = wire::text_from(json, "version");
        ceilings.started = wire::text_from(json, "started");
        ceilings.device = wire::device_info_from(json.at("device"));
        ceilings.program_hash = wire::text_from(json, "program_hash");
        for (const nlohmann::json& value : json.at("ceilings"))
            ceilings.values.push_back(ceiling_from(value));
        return ceilings;
    });
}

}  // namespace ks
