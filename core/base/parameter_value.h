#pragma once

#include <cstdint>
#include <string>
#include <variant>

namespace ks {

/// A value of a parameter; std::monostate: absent.
using ParameterValue = std::variant<std::monostate, bool, std::int64_t, double, std::string>;

inline bool is_absent(const ParameterValue& value) {
    return std::holds_alternative<std::monostate>(value);
}

}  // namespace ks
