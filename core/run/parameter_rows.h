#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "core/run/parameter_spec.h"

/// Functions that create rows of a parameter table: id, label, unit, default, minimum, maximum, help.
namespace ks::parameter {

/// The maximum if only the type sets a limit.
inline constexpr double unbounded = 1e9;
/// The minimum of lengths and times, which must be above 0.
inline constexpr double above_zero = 1e-12;

inline ParameterSpec whole(const char* id, const char* label, const char* unit, std::int64_t default_value,
                           double minimum, double maximum, const char* help) {
    return {id, label, unit, ParameterType::integer, default_value, minimum, maximum, {}, help};
}

inline ParameterSpec number(const char* id, const char* label, const char* unit, double default_value,
                            double minimum, double maximum, const char* help) {
    return {id, label, unit, ParameterType::real, default_value, minimum, maximum, {}, help};
}

/// Absent by default. @param absent the word for "absent"
inline ParameterSpec optional_whole(const char* id, const char* label, const char* unit, const char* absent,
                                    double minimum, double maximum, const char* help) {
    return {id, label, unit, ParameterType::integer, {}, minimum, maximum, {}, help, absent};
}

inline ParameterSpec optional_number(const char* id, const char* label, const char* unit, const char* absent,
                                     double minimum, double maximum, const char* help) {
    return {id, label, unit, ParameterType::real, {}, minimum, maximum, {}, help, absent};
}

inline ParameterSpec flag(const char* id, const char* label, bool default_value, const char* help) {
    return {id, label, "", ParameterType::boolean, default_value, {}, {}, {}, help};
}

inline ParameterSpec words(const char* id, const char* label, const char* unit, const char* default_value,
                           const char* help) {
    return {id, label, unit, ParameterType::text, std::string(default_value), {}, {}, {}, help};
}

/// The first choice is the default.
/// @param labels of the choices in the window; empty: the choices themselves
inline ParameterSpec choice(const char* id, const char* label, std::vector<std::string> choices,
                            const char* help, std::vector<std::string> labels = {}) {
    const std::string first = choices.front();
    return {
        id, label, "", ParameterType::choice, first, {}, {}, std::move(choices), help, {}, std::move(labels)};
}

/// The window shows a slider next to the field.
inline ParameterSpec with_slider(SliderHints slider, ParameterSpec spec) {
    spec.slider = slider;
    return spec;
}

/// The form of a page shows the parameters under this heading.
inline std::vector<ParameterSpec> in_section(const char* section, std::vector<ParameterSpec> specs) {
    for (ParameterSpec& spec : specs) spec.section = section;
    return specs;
}

}  // namespace ks::parameter
