#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include <nlohmann/json.hpp>

namespace ks {

enum class ParameterType { boolean, integer, real, choice, text };

using ParameterValue = std::variant<bool, std::int64_t, double, std::string>;

/// One parameter of an analysis. The list of an analysis makes the form in the window, the options of the command
/// line, the check of the input and the record in the saved run.
struct ParameterSpec {
    std::string id;     ///< "first_frame"; on the command line "--first-frame"
    std::string label;  ///< "First frame"
    std::string unit;   ///< "frames", "s", or empty
    ParameterType type = ParameterType::integer;
    ParameterValue standard;                             ///< default
    std::optional<double> minimum = {}, maximum = {};    ///< inclusive; integers and reals
    std::vector<std::string> choices = {};               ///< for ParameterType::choice
    std::string help = {};                               ///< one sentence
};

/// Values by ParameterSpec::id.
using ParameterSet = std::map<std::string, ParameterValue>;

/// Every parameter of `specs` with its default.
ParameterSet defaults(const std::vector<ParameterSpec>& specs);
/// `given` completed by defaults. Throws ks::Error(input) naming the parameter, what was expected and what was
/// found: an unknown id, a wrong type (an integer is a valid real), a value out of range, a choice that is none.
ParameterSet checked(const std::vector<ParameterSpec>& specs, const ParameterSet& given);
/// From text as typed on a command line or in a form. Throws ks::Error(input).
ParameterValue parse_value(const ParameterSpec& spec, const std::string& text);
std::string to_text(const ParameterValue& value);

/// Typed access; throws ks::Error(run) where the id is absent or of another type.
bool boolean(const ParameterSet& set, const std::string& id);
std::int64_t integer(const ParameterSet& set, const std::string& id);
double real(const ParameterSet& set, const std::string& id);
const std::string& text(const ParameterSet& set, const std::string& id);

nlohmann::json to_json(const ParameterSet& set);
ParameterSet parameter_set_from(const nlohmann::json& json);
nlohmann::json to_json(const std::vector<ParameterSpec>& specs);
std::vector<ParameterSpec> parameter_specs_from(const nlohmann::json& json);

}  // namespace ks
