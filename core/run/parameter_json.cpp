#include <array>

#include "core/base/error.h"
#include "core/base/json_number.h"
#include "core/run/parameter_spec.h"

namespace ks {
namespace {

using nlohmann::json;

constexpr std::array<const char*, 5> type_names{"boolean", "integer", "real", "choice", "text"};

ParameterType type_from(const std::string& name) {
    for (std::size_t i = 0; i < type_names.size(); ++i)
        if (name == type_names[i]) return static_cast<ParameterType>(i);
    throw Error(ErrorKind::run, "unknown type of a parameter \"" + name + "\"");
}

json value_to_json(const ParameterValue& value) {
    if (const auto* truth = std::get_if<bool>(&value)) return *truth;
    if (const auto* whole = std::get_if<std::int64_t>(&value)) return *whole;
    if (const auto* number = std::get_if<double>(&value)) return json_number(*number);
    return std::get<std::string>(value);
}

ParameterValue value_from(const json& value, const std::string& id) {
    if (value.is_boolean()) return value.get<bool>();
    if (value.is_number_integer()) return value.get<std::int64_t>();
    if (value.is_number() || is_special_number(value)) return number_from(value);
    if (value.is_string()) return value.get<std::string>();
    throw Error(ErrorKind::run, "expected true, false, a number or a text, found " + value.dump(),
                "parameter " + id);
}

std::optional<double> bound_from(const json& value) {
    return value.is_null() ? std::nullopt : std::optional<double>(number_from(value));
}

}  // namespace

json to_json(const ParameterSet& set) {
    json object = json::object();
    for (const auto& [id, value] : set) object[id] = value_to_json(value);
    return object;
}

ParameterSet parameter_set_from(const json& object) {
    if (!object.is_object())
        throw Error(ErrorKind::run, "expected an object of parameters, found " + object.dump());
    ParameterSet set;
    for (const auto& [id, value] : object.items()) set[id] = value_from(value, id);
    return set;
}

json to_json(const std::vector<ParameterSpec>& specs) {
    json list = json::array();
    for (const ParameterSpec& spec : specs) {
        json row = json::object();
        row["id"] = spec.id;
        row["label"] = spec.label;
        row["unit"] = spec.unit;
        row["type"] = type_names[static_cast<std::size_t>(spec.type)];
        row["default"] = value_to_json(spec.standard);
        row["minimum"] = spec.minimum ? json_number(*spec.minimum) : json();
        row["maximum"] = spec.maximum ? json_number(*spec.maximum) : json();
        row["choices"] = spec.choices;
        row["help"] = spec.help;
        list.push_back(std::move(row));
    }
    return list;
}

std::vector<ParameterSpec> parameter_specs_from(const json& list) {
    if (!list.is_array()) throw Error(ErrorKind::run, "expected a list of parameters, found " + list.dump());
    try {
        std::vector<ParameterSpec> specs;
        for (const json& row : list) {
            const std::string id = row.at("id").get<std::string>();
            specs.push_back({.id = id,
                             .label = row.at("label").get<std::string>(),
                             .unit = row.at("unit").get<std::string>(),
                             .type = type_from(row.at("type").get<std::string>()),
                             .standard = value_from(row.at("default"), id),
                             .minimum = bound_from(row.at("minimum")),
                             .maximum = bound_from(row.at("maximum")),
                             .choices = row.at("choices").get<std::vector<std::string>>(),
                             .help = row.at("help").get<std::string>()});
        }
        return specs;
    } catch (const json::exception& error) {
        throw Error(ErrorKind::run,
                    std::string("a description of parameters cannot be read: ") + error.what());
    }
}

}  // namespace ks
