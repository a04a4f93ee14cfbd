#include <array>
#include <optional>
#include <utility>

#include "core/base/json_number.h"
#include "core/wire/wire.h"
#include "core/wire/wire_guard.h"

namespace ks::wire {
namespace {

using nlohmann::json;

constexpr std::array streaming_kinds{
    std::pair{Streaming::resident, "resident"}, std::pair{Streaming::frames, "frames"},
    std::pair{Streaming::modules, "modules"}, std::pair{Streaming::targets, "targets"},
    std::pair{Streaming::time_slabs, "time_slabs"}};

const char* name_of_streaming(Streaming streaming) {
    for (const auto& [kind, name] : streaming_kinds)
        if (kind == streaming) return name;
    return "resident";
}

Streaming streaming_from(const std::string& wanted) {
    for (const auto& [kind, name] : streaming_kinds)
        if (wanted == name) return kind;
    throw Error(ErrorKind::run, "unknown way of streaming \"" + wanted + "\"");
}

json input_to_json(const InputSpec& input) {
    json j = json::object();
    j["role"] = input.role;
    j["label"] = input.label;
    j["option"] = input.option;
    j["forms"] = input.forms;
    j["required"] = input.required;
    j["help"] = input.help;
    return j;
}

InputSpec input_from(const json& j) {
    return {text_from(j, "role"),         text_from(j, "label"),
            text_from(j, "option"),       j.at("forms").get<std::vector<std::string>>(),
            j.at("required").get<bool>(), text_from(j, "help")};
}

json offer_to_json(const Offer& offer) {
    json j = json::object();
    j["variant"] = to_json(offer.variant);
    j["why_not"] = offer.why_not;
    return j;
}

json condition_to_json(const Condition& condition) {
    json j = json::object();
    j["trait"] = condition.trait;
    j["what"] = condition.what;
    j["values"] = condition.values;
    if (condition.minimum) j["minimum"] = json_number(*condition.minimum);
    if (condition.maximum) j["maximum"] = json_number(*condition.maximum);
    j["without_fp64_only"] = condition.without_fp64_only;
    return j;
}

Condition condition_from(const json& j) {
    Condition condition{text_from(j, "trait"), text_from(j, "what"),
                        j.at("values").get<std::vector<std::string>>()};
    if (j.contains("minimum")) condition.minimum = number_from(j.at("minimum"));
    if (j.contains("maximum")) condition.maximum = number_from(j.at("maximum"));
    condition.without_fp64_only = j.at("without_fp64_only").get<bool>();
    return condition;
}

}  // namespace

json to_json(const Variant& variant) {
    json j = json::object();
    j["analysis"] = variant.analysis;
    j["id"] = variant.id;
    j["title"] = variant.title;
    j["story"] = variant.story;
    j["source_file"] = variant.source_file;
    j["source"] = variant.source;
    j["shared_sources"] = variant.shared_sources;
    j["entry_points"] = variant.entry_points;
    j["defines"] = json::array();
    for (const DefineSpec& define : variant.defines) {
        json d = json::object();
        d["name"] = define.name;
        d["default"] = define.standard;
        d["allowed"] = define.allowed;
        d["help"] = define.help;
        j["defines"].push_back(std::move(d));
    }
    j["fp64"] = variant.constraints.fp64;
    j["local_bytes"] = variant.constraints.local_bytes;
    j["extensions"] = variant.constraints.extensions;
    j["work_group"] = variant.constraints.work_group;
    j["takes"] = json::array();
    for (const Condition& condition : variant.takes) j["takes"].push_back(condition_to_json(condition));
    j["streaming"] = name_of_streaming(variant.streaming);
    j["baseline"] = variant.baseline;
    j["rank"] = variant.rank;
    j["tolerances"] = json::array();
    for (const auto& [dataset, tolerance] : variant.tolerances) {
        json t = json::object();
        t["dataset"] = dataset;
        t["tolerance"] = json_number(tolerance);
        j["tolerances"].push_back(std::move(t));
    }
    return j;
}

Variant variant_from(const json& j) {
    return guarded("a variant", [&] {
        Variant variant;
        variant.analysis = text_from(j, "analysis");
        variant.id = text_from(j, "id");
        variant.title = text_from(j, "title");
        variant.story = text_from(j, "story");
        variant.source_file = text_from(j, "source_file");
        variant.source = text_from(j, "source");
        if (j.contains("shared_sources"))  // absent in what older versions saved
            variant.shared_sources = j.at("shared_sources").get<std::vector<std::string>>();
        variant.entry_points = j.at("entry_points").get<std::vector<std::string>>();
        for (const json& d : j.at("defines"))
            variant.defines.push_back({text_from(d, "name"), text_from(d, "default"),
                                       d.at("allowed").get<std::vector<std::string>>(),
                                       text_from(d, "help")});
        variant.constraints.fp64 = j.at("fp64").get<bool>();
        variant.constraints.local_bytes = count_from<std::size_t>(j.at("local_bytes"));
        variant.constraints.extensions = j.at("extensions").get<std::vector<std::string>>();
        if (j.contains("work_group"))
            variant.constraints.work_group = count_from<std::size_t>(j.at("work_group"));
        if (j.contains("takes"))
            for (const json& condition : j.at("takes")) variant.takes.push_back(condition_from(condition));
        variant.streaming = streaming_from(text_from(j, "streaming"));
        variant.baseline = j.at("baseline").get<bool>();
        variant.rank = j.at("rank").get<int>();
        for (const json& t : j.at("tolerances"))
            variant.tolerances.emplace_back(text_from(t, "dataset"), number_from(t.at("tolerance")));
        return variant;
    });
}

json to_json(const AnalysisInfo& info) {
    json j = json::object();
    j["id"] = info.id;
    j["title"] = info.title;
    j["story"] = info.story;
    j["inputs"] = json::array();
    for (const InputSpec& input : info.inputs) j["inputs"].push_back(input_to_json(input));
    j["parameters"] = ks::to_json(info.parameters);
    j["generator"] = ks::to_json(info.generator);
    j["benchmark"] = ks::to_json(info.benchmark);
    j["reference"] = info.reference;
    return j;
}

AnalysisInfo analysis_info_from(const json& j) {
    return guarded("an analysis", [&] {
        AnalysisInfo info;
        info.id = text_from(j, "id");
        info.title = text_from(j, "title");
        info.story = text_from(j, "story");
        for (const json& input : j.at("inputs")) info.inputs.push_back(input_from(input));
        info.parameters = parameter_specs_from(j.at("parameters"));
        info.generator = parameter_specs_from(j.at("generator"));
        info.benchmark = parameter_specs_from(j.at("benchmark"));
        info.reference = text_from(j, "reference");
        return info;
    });
}

Catalogue catalogue_of(const Engine& engine) {
    Catalogue catalogue;
    catalogue.devices = engine.devices();
    for (const DeviceInfo& device : catalogue.devices)
        if (std::optional<Ceilings> known = engine.known_ceilings(device))
            catalogue.ceilings.push_back(std::move(*known));
    for (const auto& analysis : engine.registry().analyses()) {
        catalogue.analyses.push_back(analysis->info());
        auto& offers = catalogue.offers[analysis->info().id];
        for (const DeviceInfo& device : catalogue.devices)
            offers.push_back(engine.offers(analysis->info().id, device));
    }
    return catalogue;
}

json to_json(const Catalogue& catalogue) {
    json j = json::object();
    j["devices"] = json::array();
    for (const DeviceInfo& device : catalogue.devices) j["devices"].push_back(to_json(device));
    j["analyses"] = json::array();
    for (const AnalysisInfo& info : catalogue.analyses) j["analyses"].push_back(to_json(info));
    j["ceilings"] = json::array();
    for (const Ceilings& ceilings : catalogue.ceilings) j["ceilings"].push_back(ks::to_json(ceilings));
    j["offers"] = json::object();
    for (const auto& [analysis, by_device] : catalogue.offers) {
        json& rows = j["offers"][analysis] = json::array();
        for (const std::vector<Offer>& offers : by_device) {
            json row = json::array();
            for (const Offer& offer : offers) row.push_back(offer_to_json(offer));
            rows.push_back(std::move(row));
        }
    }
    return j;
}

Catalogue catalogue_from(const json& j) {
    return guarded("a catalogue", [&] {
        Catalogue catalogue;
        for (const json& device : j.at("devices")) catalogue.devices.push_back(device_info_from(device));
        for (const json& info : j.at("analyses")) catalogue.analyses.push_back(analysis_info_from(info));
        for (const json& ceilings : j.at("ceilings")) catalogue.ceilings.push_back(ceilings_from(ceilings));
        for (const auto& [analysis, rows] : j.at("offers").items()) {
            auto& by_device = catalogue.offers[analysis];
            for (const json& row : rows) {
                std::vector<Offer>& offers = by_device.emplace_back();
                for (const json& offer : row)
                    offers.push_back({variant_from(offer.at("variant")), text_from(offer, "why_not")});
            }
            if (by_device.size() != catalogue.devices.size())
                throw Error(ErrorKind::run, "expected offers for " +
                                                std::to_string(catalogue.devices.size()) +
                                                " devices, found " + std::to_string(by_device.size()));
        }
        return catalogue;
    });
}

}  // namespace ks::wire
