#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "core/run/result.h"

namespace ks {

/// A fact of a result as it is shown to people.
struct ShownFact {
    std::string name;      ///< "signal pixels"; of a rate what is done at this rate, "private", or "rate"
    nlohmann::json value;  ///< the value of the fact, unchanged
    std::string unit;      ///< "GB/s"; empty: none
};

/// The facts in their order; keys that end in `gigabytes_per_second` and the like become a rate with its
/// unit.
std::vector<ShownFact> shown_facts(const Result& result);

}  // namespace ks
