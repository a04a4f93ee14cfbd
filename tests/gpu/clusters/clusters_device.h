#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "gpu/clusters/launch.h"
#include "gpu/clusters/variants.h"
#include "gpu/runtime/kernel_files.h"
#include "gpu/runtime/launch_context.h"
#include "tests/core/clusters/cluster_fixture.h"
#include "tests/gpu/test_devices.h"

namespace ks::tests {

using Defines = std::map<std::string, std::string>;

inline Run run_on(gpu::DeviceContext& device, const std::string& variant, const ClusterProblem& problem,
                  const Defines& defines = {}, std::uint64_t memory_limit = 0) {
    Run run;
    for (gpu::ClVariant& row : gpu::clusters::cl_variants())
        if (row.info.id == variant) {
            row.info.source = gpu::kernel_text(row.info.source_file);
            run.variant = row.info;
        }
    run.device = device.info();
    run.request.variant = variant;
    run.request.defines = defines;
    run.request.memory_limit = memory_limit;
    Progress progress;
    gpu::LaunchContext context(device, run, progress);
    run.result = gpu::clusters::launch_clusters(problem, context);
    context.finish();
    return run;
}

/// Compares with the labels of the definition on every device; the run on the last one.
inline Run expect_definition(const std::string& variant, const ClusterProblem& problem,
                             const std::string& what, const Defines& defines = {},
                             std::uint64_t memory_limit = 0) {
    const std::vector<std::int32_t> expected = labels_by_definition(problem);
    Run run;
    for (const auto& device : test_devices()) {
        run = run_on(*device, variant, problem, defines, memory_limit);
        const std::vector<std::int32_t> found = labels_of(run);
        const auto [at, other] = std::ranges::mismatch(found, expected);
        if (at == found.end()) continue;
        ADD_FAILURE() << variant << " on " << device->info().name << ", " << what << ": digi "
                      << at - found.begin() << " has label " << *at << ", expected " << *other;
    }
    return run;
}

}  // namespace ks::tests
