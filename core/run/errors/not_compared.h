#pragma once

#include <string>

namespace ks {

/// End of a verdict that passed although something was left out of the comparison: "...; the reduction of
/// the values is inf, which is not finite, and was not compared".
inline constexpr const char* was_not_compared = " and was not compared";

/// The last clause of the text of a verdict if it names what was left out; else empty.
inline std::string not_compared_in(const std::string& text) {
    const std::size_t clause = text.rfind("; ");
    return clause != std::string::npos && text.ends_with(was_not_compared) ? text.substr(clause + 2)
                                                                           : std::string();
}

}  // namespace ks
