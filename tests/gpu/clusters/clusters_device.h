#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "core/base/error.h"
#include "core/clusters/analysis.h"
#include "gpu/clusters/launch.h"
#include "gpu/runtime/launch_context.h"
#include "tests/core/clusters/cluster_fixture.h"
#include "tests/gpu/test_devices.h"
#include "tests/gpu/variant_table.h"

namespace ks::tests {

using Defines = std::map<std::string, std::string>;

inline gpu::ClVariant clusters_row(const std::string& id) {
    return row_of(gpu::clusters::cl_variants(), id);
}

inline std::vector<const char*> clusters_ids(const std::function<bool(const Variant&)>& wanted = {}) {
    return ids_of(gpu::clusters::cl_variants(), wanted);
}

/// Digis of larger modules go the general path.
inline bool has_limit(const Variant& variant) {
    return has_define(variant, "LIMIT");
}

/// @param launch makes the result
inline Run run_with(gpu::DeviceContext& device, const std::string& variant, const Defines& defines,
                    std::optional<std::uint64_t> memory_limit,
                    const std::function<Result(const gpu::ClVariant&, gpu::LaunchContext&)>& launch) {
    const gpu::ClVariant row = clusters_row(variant);
    Run run;
    run.variant = row.info;
    run.device = device.info();
    run.request.variant = variant;
    run.request.defines = defines;
    run.request.memory_limit = memory_limit;
    Progress progress;
    gpu::LaunchContext context(device, run, progress, row.tuning);
    run.result = launch(row, context);
    context.finish();
    return run;
}

inline Run run_on(gpu::DeviceContext& device, const std::string& variant, const ClusterProblem& problem,
                  const Defines& defines = {}, std::optional<std::uint64_t> memory_limit = {}) {
    return run_with(
        device, variant, defines, memory_limit,
        [&](const gpu::ClVariant& row, gpu::LaunchContext& context) { return row.launch(problem, context); });
}

/// As `plan` says, instead of the way that suits the device.
inline Run run_as(gpu::DeviceContext& device, const gpu::clusters::PipelinePlan& plan,
                  const ClusterProblem& problem,
                  gpu::clusters::MakeLabeller make = gpu::clusters::make_general,
                  const std::string& variant = "unionfind.global",
                  std::optional<std::uint64_t> memory_limit = {}, const Defines& defines = {}) {
    return run_with(device, variant, defines, memory_limit,
                    [&](const gpu::ClVariant&, gpu::LaunchContext& context) {
                        return gpu::clusters::launch_clusters(problem, context, make,
                                                              clusters::TraceKind::union_find, plan);
                    });
}

/// Compares with the labels of the definition on every device, or expects that the variant refuses what it
/// does not take; the run on the last one.
inline Run expect_definition(const std::string& variant, const ClusterProblem& problem,
                             const std::string& what, const Defines& defines = {},
                             std::optional<std::uint64_t> memory_limit = {}) {
    const std::vector<std::int32_t> expected = labels_by_definition(problem);
    Run run;
    for (const auto& device : test_devices()) {
        const Variant row = clusters_row(variant).info;
        if (!why_not(row, clusters::traits_of(problem), device->info().fp64).empty()) {
            EXPECT_THROW(run_on(*device, variant, problem, defines, memory_limit), Error) << what;
            continue;
        }
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
