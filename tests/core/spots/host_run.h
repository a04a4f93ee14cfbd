#pragma once

#include <string>

#include "core/spots/analysis.h"
#include "core/spots/problem.h"
#include "tests/core/run_on_host.h"

namespace ks::tests {

inline Run host_run(const spots::SpotProblem& problem, const std::string& variant = "host.reference") {
    return run_on_host(spots::host_variants(), problem, variant);
}

}  // namespace ks::tests
