#pragma once

#include <string>
#include <string_view>

#include <fmt/format.h>

#include "core/base/error.h"

namespace ks::basics {

/// The ks::Error(input) for a number that is too large, or too close to 0, for a float.
/// @param text the number as typed @param id of the parameter
inline Error beyond_float(std::string_view text, const std::string& id) {
    return {
        ErrorKind::input,
        fmt::format("expected numbers that a float can hold (0, or 1.4e-45 to 3.4e38 in magnitude), found "
                    "\"{}\"",
                    text.substr(0, 40)),
        id};
}

}  // namespace ks::basics
