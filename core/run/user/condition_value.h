#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

namespace ks {

/// What is known about a name when the preprocessor reaches a condition.
struct MacroState {
    bool defined = false;
    std::string value = {};  ///< of a defined one: the text that replaces it
    /// Why the value is not known. If `defined` is false, it is not known either whether the name is defined
    /// at all.
    std::optional<std::string> unclear = {};
};

/// The value of the expression of an #if or #elif: either a number or the reason why there is none.
struct ConditionValue {
    std::optional<std::int64_t> number;
    std::string why_not;
};

/// Evaluates whole numbers, names, `defined`, parentheses and the operators of C except `?:`.
/// @param expression without comments @param state_of what is known about a name
ConditionValue condition_value(std::string_view expression,
                               const std::function<MacroState(const std::string&)>& state_of);

}  // namespace ks
