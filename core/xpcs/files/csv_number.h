#pragma once

#include <cmath>
#include <string>

#include <fmt/format.h>

namespace ks::xpcs {

/// A number in a CSV table, with all of its digits. The sign of a NaN has no meaning, and some programs do
/// not read "-nan".
inline std::string csv_number(double value) {
    return std::isnan(value) ? std::string("nan") : fmt::format("{:.17g}", value);
}

}  // namespace ks::xpcs
