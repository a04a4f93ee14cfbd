#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "core/run/parameter_spec.h"

/// Makers of the rows of a table of parameters: id, label, unit, default, least and most value, help.
namespace ks::parameter {

/// The largest value where nothing but the type sets a bound.
inline constexpr double most = 1e9;

inline ParameterSpec whole(const char* id, const char* label, const char* unit, std::int64_t standard,
                           double low, double high, const char* help) {
    return {id, label, unit, ParameterType::integer, standard, low, high, {}, help};
}

inline ParameterSpec number(const char* id, const char* label, const char* unit, double standard, double low,
                            double high, const char* help) {
    return {id, label, unit, ParameterType::real, standard, low, high, {}, help};
}

inline ParameterSpec flag(const char* id, const char* label, bool standard, const char* help) {
    return {id, label, "", ParameterType::boolean, standard, {}, {}, {}, help};
}

inline ParameterSpec words(const char* id, const char* label, const char* unit, const char* standard,
                           const char* help) {
    return {id, label, unit, ParameterType::text, std::string(standard), {}, {}, {}, help};
}

/// The first choice is the default.
inline ParameterSpec choice(const char* id, const char* label, std::vector<std::string> choices,
                            const char* help) {
    const std::string standard = choices.front();
    return {id, label, "", ParameterType::choice, standard, {}, {}, std::move(choices), help};
}

}  // namespace ks::parameter
