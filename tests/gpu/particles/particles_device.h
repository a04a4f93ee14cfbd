#pragma once

#include <algorithm>
#include <map>
#include <string>

#include "core/base/error.h"
#include "core/particles/analysis.h"
#include "core/particles/check.h"
#include "core/particles/result.h"
#include "gpu/particles/launch.h"
#include "gpu/runtime/launch_context.h"
#include "tests/core/particles/particle_fixture.h"
#include "tests/gpu/test_devices.h"
#include "tests/gpu/variant_table.h"

namespace ks::tests {

inline gpu::ClVariant particles_row(const std::string& id) {
    return row_of(gpu::particles::cl_variants(), id);
}

inline std::vector<const char*> particles_ids(const std::function<bool(const Variant&)>& wanted = {}) {
    return ids_of(gpu::particles::cl_variants(), wanted);
}

inline Run sum_on(gpu::DeviceContext& device, const std::string& variant,
                  const particles::SumProblem& problem,
                  const std::map<std::string, std::string>& defines = {},
                  std::optional<std::uint64_t> memory_limit = {}) {
    const gpu::ClVariant row = particles_row(variant);
    Run run;
    run.request.analysis = "particles";
    run.request.defines = defines;
    run.request.memory_limit = memory_limit;
    run.variant = row.info;
    run.device = device.info();
    Progress progress;
    gpu::LaunchContext context(device, run, progress, row.tuning);
    run.result = row.launch(problem, context);
    context.finish();
    return run;
}

/// The devices that can run a variant.
inline std::vector<gpu::DeviceContext*> devices_of(const std::string& variant) {
    const gpu::ClVariant row = particles_row(variant);
    std::vector<gpu::DeviceContext*> devices;
    for (const auto& device : test_devices())
        if (able(*device, row)) devices.push_back(device.get());
    return devices;
}

/// Whether a variant takes a problem on a device.
inline bool takes(const std::string& variant, const particles::SumProblem& problem,
                  const gpu::DeviceContext& device) {
    const bool has_fp64 = device.info().fp64;
    return (has_fp64 || problem.settings().precision == particles::Precision::f32) &&
           why_not(particles_row(variant).info, particles::traits_of(problem), has_fp64).empty();
}

/// Of all targets, against the double reference of the host.
inline particles::SumErrors errors_of(const particles::SumProblem& problem, const Run& run) {
    Progress progress;
    return particles::compare_sums(problem, particles::sums_of(run.result, problem),
                                   ks::Sample::all(problem.n_targets()), progress);
}

}  // namespace ks::tests
