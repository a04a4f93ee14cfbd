#include "app/cli/quantities.h"

#include <cmath>

#include <fmt/format.h>

namespace ks::cli {
namespace {

constexpr double most_digits = 1e6;  ///< larger numbers have an exponent: no more than three digits are shown

/// Three significant digits, without an exponent where that is readable: 1.78, 38.2, 812, 1e+12.
std::string three_digits(double value) {
    if (value >= most_digits) return fmt::format("{:.3g}", value);
    if (value >= 99.95) return fmt::format("{:.0f}", value);
    if (value >= 9.995) return fmt::format("{:.1f}", value);
    return fmt::format("{:.2f}", value);
}

}  // namespace

std::string bytes_text(std::uint64_t bytes) {
    const char* const units[] = {"B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};
    double value = static_cast<double>(bytes);
    std::size_t unit = 0;
    while (value >= 1024 && unit + 1 < std::size(units)) {
        value /= 1024;
        ++unit;
    }
    if (value == std::floor(value)) return fmt::format("{:.0f} {}", value, units[unit]);
    return fmt::format("{} {}", three_digits(value), units[unit]);
}

std::string rate_text(double rate, const std::string& unit) {
    if (std::isnan(rate)) return "-";
    const char* const prefixes[] = {"", "k", "M", "G", "T", "P"};
    std::size_t prefix = 0;
    for (; rate >= 999.5 && prefix + 1 < std::size(prefixes); ++prefix) rate /= 1000;
    return fmt::format("{} {}{}", three_digits(rate), prefixes[prefix], unit == "1/s" ? "/s" : unit);
}

std::string factor_text(double ratio) {
    return (ratio > 0 && ratio < 0.1) || ratio >= most_digits ? fmt::format("{:.3g}", ratio)
                                                              : fmt::format("{:.3f}", ratio);
}

std::string time_text(double nanoseconds) {
    if (std::isnan(nanoseconds)) return "-";
    if (nanoseconds < 999.5) return fmt::format("{:.0f} ns", nanoseconds);
    if (nanoseconds < 999.5e3) return three_digits(nanoseconds / 1e3) + " us";
    if (nanoseconds < 999.5e6) return three_digits(nanoseconds / 1e6) + " ms";
    return three_digits(nanoseconds / 1e9) + " s";
}

}  // namespace ks::cli
