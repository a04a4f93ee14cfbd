#pragma once

#include <stdexcept>
#include <string>
#include <vector>

#include "core/run/host_backend.h"
#include "core/run/run.h"
#include "core/spots/analysis.h"
#include "core/spots/problem.h"

namespace ks::tests {

/// A run of a host variant on two threads.
inline Run host_run(const spots::SpotProblem& problem, const std::string& variant = "host.reference") {
    for (const HostVariant& row : spots::host_variants()) {
        if (row.info.id != variant) continue;
        Run run;
        run.request.analysis = "spots";
        run.variant = row.info;
        Progress progress;
        HostContext context{run.request, progress, run.timings, 2, std::uint64_t{1} << 30};
        run.result = row.launch(problem, context);
        return run;
    }
    throw std::runtime_error("no host variant " + variant);
}

}  // namespace ks::tests
