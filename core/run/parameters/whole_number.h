#pragma once

#include <charconv>
#include <cmath>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>

namespace ks {

/// The whole number of a text: "1000", "-5", and with an exponent "1e3", "2.5e3". Nothing for any other text,
/// nor with an exponent beyond 2^53; "1.000" may mean 1 or 1000.
inline std::optional<std::int64_t> whole_number(std::string_view text) {
    const char *const begin = text.data(), *const end = begin + text.size();
    std::int64_t whole = 0;
    if (const auto [stop, status] = std::from_chars(begin, end, whole); status == std::errc{} && stop == end)
        return whole;
    double value = 0;
    const auto [stop, status] = std::from_chars(begin, end, value, std::chars_format::scientific);
    constexpr double exact = 9007199254740992;
    if (status != std::errc{} || stop != end || !(std::abs(value) <= exact) || value != std::round(value))
        return std::nullopt;
    return static_cast<std::int64_t>(value);
}

/// The text of a value in a list, a whole number as digits alone: "1000" for "1e3"; other texts are
/// unchanged.
inline std::string in_digits(const std::string& text) {
    const auto whole = whole_number(text);
    return whole ? std::to_string(*whole) : text;
}

}  // namespace ks
