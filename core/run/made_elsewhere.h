#pragma once

#include <optional>
#include <string>

#include "core/run/run.h"

namespace ks {

/// The fact of a result that another program computed: whose layout the file has that it was read from.
inline constexpr const char* made_elsewhere_fact = "made_elsewhere";

/// "APS 8-ID" if another program computed the result of this run: then it has no inputs, no device and no
/// timings, and cannot be repeated. Nothing for runs of Kernelscope.
inline std::optional<std::string> made_elsewhere(const Run& run) {
    const auto found = run.result.facts.find(made_elsewhere_fact);
    if (found == run.result.facts.end() || !found->is_string()) return std::nullopt;
    return found->get<std::string>();
}

}  // namespace ks
