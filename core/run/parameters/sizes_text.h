#pragma once

#include <fmt/format.h>

#include <string>

#include "core/run/parameter_spec.h"

namespace ks {

/// "seed = 1, size = 100000"; absent values are left to the program or the driver, and have no entry.
inline std::string sizes_text(const ParameterSet& sizes, const char* between = ", ") {
    std::string text;
    for (const auto& [id, value] : sizes)
        if (!is_absent(value))
            text += fmt::format("{}{} = {}", text.empty() ? "" : between, id, to_text(value));
    return text;
}

}  // namespace ks
