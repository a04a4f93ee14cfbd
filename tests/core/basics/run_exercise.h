#pragma once

#include <string>
#include <vector>

#include "core/basics/exercise_analysis.h"
#include "tests/core/run_on_host.h"

namespace ks::tests {

inline std::vector<HostVariant> host_variants_of(const std::string& exercise) {
    std::vector<HostVariant> rows = basics::host_variants();
    std::erase_if(rows, [&](const HostVariant& row) { return row.info.analysis != exercise; });
    return rows;
}

/// A host variant of an exercise on a problem.
inline Run run_exercise(const std::string& exercise, const Problem& problem, const std::string& variant) {
    return run_on_host(host_variants_of(exercise), problem, variant);
}

}  // namespace ks::tests
