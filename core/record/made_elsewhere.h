#pragma once

#include <optional>
#include <string>

#include "core/run/run.h"

namespace ks {

/// The fact of a result that was read from a file of another program's layout, which says whose it is.
inline constexpr const char* made_elsewhere_fact = "made_elsewhere";

/// "APS 8-ID" if the result of this run was read from a file in the layout of another program: then it has no
/// inputs, no device and no timings, and cannot be repeated. Nothing for runs with a record.
inline std::optional<std::string> made_elsewhere(const Run& run) {
    const auto found = run.result.facts.find(made_elsewhere_fact);
    if (found == run.result.facts.end() || !found->is_string()) return std::nullopt;
    return found->get<std::string>();
}

}  // namespace ks
