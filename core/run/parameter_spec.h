#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "core/base/fields.h"
#include "core/base/parameter_value.h"

namespace ks {

enum class ParameterType { boolean, integer, real, choice, text };
const char* name_of(ParameterType type);
/// Throws ks::Error(run) for an unknown name.
ParameterType parameter_type_from(const std::string& name);

enum class SliderScale { linear, logarithmic };
const char* name_of(SliderScale scale);
/// Throws ks::Error(run) for an unknown name.
SliderScale slider_scale_from(const std::string& name);

/// The part of a number's range that a slider covers; the field next to it accepts the whole range.
struct SliderHints {
    double reach = 1;  ///< right end; a linear slider with both signs starts at -reach
    double step = 1;   ///< linear: slider step; logarithmic: smallest value above the minimum
    int decimals = 0;  ///< of the field
    SliderScale scale = SliderScale::linear;
    bool operator==(const SliderHints&) const = default;
};

void fields(auto& visit, ConstOr<SliderHints> auto& hints) {
    visit("reach", hints.reach);
    visit("step", hints.step);
    visit("decimals", hints.decimals);
    visit.name("scale", hints.scale, slider_scale_from);
}

/// One parameter of an analysis. The list of an analysis defines the form in the window, the options of the
/// command line, the check of the input and the entries in a saved run.
struct ParameterSpec {
    std::string id;     ///< "first_frame"; on the command line "--first-frame"
    std::string label;  ///< "First frame"
    std::string unit;   ///< "frames", "s", or empty
    ParameterType type = ParameterType::integer;
    ParameterValue default_value;
    std::optional<double> minimum = {}, maximum = {};  ///< inclusive; integers and reals
    std::vector<std::string> choices = {};             ///< for ParameterType::choice
    std::string help = {};                             ///< one sentence
    /// Integers and reals that may be absent: the word for that, "off", "from the file".
    std::optional<std::string> absent = {};
    std::vector<std::string> choice_labels = {};  ///< labels of the choices in the window; empty: the choices
    std::optional<SliderHints> slider = {};  ///< for a number that is never absent; without: a field only
    /// The heading under which the form of a page shows the parameter; empty: no heading.
    std::string section = {};
    /// It only selects additional results; everything else is the same for any value.
    bool adds_results = false;
};

void fields(auto& visit, ConstOr<ParameterSpec> auto& spec) {
    visit("id", spec.id);
    visit("label", spec.label);
    visit("unit", spec.unit);
    visit.name("type", spec.type, parameter_type_from);
    visit("default", spec.default_value);
    visit("minimum", spec.minimum);
    visit("maximum", spec.maximum);
    visit("choices", spec.choices);
    visit("help", spec.help);
    visit("absent", spec.absent);
    visit.added("choice_labels", spec.choice_labels);
    visit("slider", spec.slider);
    visit.added("section", spec.section);
    visit.added("adds_results", spec.adds_results);
}

/// Values by ParameterSpec::id.
using ParameterSet = std::map<std::string, ParameterValue>;

/// All parameters of `specs` with their defaults.
ParameterSet defaults(const std::vector<ParameterSpec>& specs);
/// `given` completed by defaults. Throws ks::Error(input) naming the parameter, what was expected and what
/// was found: an unknown id, a wrong type (an integer is a valid real), a value out of range, an unknown
/// choice, an absent value although one is required.
ParameterSet checked(const std::vector<ParameterSpec>& specs, const ParameterSet& given);
/// The values of a set whose ids are in `specs`.
ParameterSet among(const std::vector<ParameterSpec>& specs, const ParameterSet& set);
/// Parses text typed on a command line or in a form; the word for an absent value may have hyphens instead of
/// spaces. Throws ks::Error(input).
ParameterValue parse_value(const ParameterSpec& spec, const std::string& text);
/// Empty for an absent value.
std::string to_text(const ParameterValue& value);
/// The same, with the spec's word for an absent value.
std::string to_text(const ParameterSpec& spec, const ParameterValue& value);

/// Typed access; throws ks::Error(run) if the id is absent or has another type.
bool boolean(const ParameterSet& set, const std::string& id);
std::int64_t integer(const ParameterSet& set, const std::string& id);
double real(const ParameterSet& set, const std::string& id);
const std::string& text(const ParameterSet& set, const std::string& id);
/// The same; nothing for an absent value.
std::optional<std::int64_t> optional_integer(const ParameterSet& set, const std::string& id);
std::optional<double> optional_real(const ParameterSet& set, const std::string& id);

nlohmann::json to_json(const ParameterSet& set);
ParameterSet parameter_set_from(const nlohmann::json& json);

}  // namespace ks
