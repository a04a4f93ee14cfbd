#pragma once

#include <memory>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "core/run/engine.h"
#include "core/run/host_backend.h"
#include "core/run/registry.h"
#include "core/run/run.h"

namespace ks::tests {

/// An engine of the analyses' host variants alone.
inline Engine host_engine() {
    auto registry = std::make_shared<const Registry>();
    std::vector<std::unique_ptr<Backend>> backends;
    backends.push_back(std::make_unique<HostBackend>(registry->host_variants()));
    return Engine(std::move(registry), std::move(backends));
}

/// A run of a row of an analysis' table of host variants, on two threads.
inline Run run_on_host(const std::vector<HostVariant>& table, const Problem& problem,
                       const std::string& variant) {
    for (const HostVariant& row : table) {
        if (row.info.id != variant) continue;
        Run run;
        run.request.analysis = row.info.analysis;
        run.variant = row.info;
        Progress progress;
        HostContext context{run.request, progress, run.timings, 2, std::uint64_t{1} << 30};
        run.result = row.launch(problem, context);
        return run;
    }
    throw std::runtime_error("no host variant " + variant);
}

}  // namespace ks::tests
