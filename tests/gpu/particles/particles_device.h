#pragma once

#include <algorithm>
#include <map>
#include <string>

#include "core/base/error.h"
#include "core/particles/check.h"
#include "core/particles/result.h"
#include "gpu/particles/variants.h"
#include "gpu/runtime/kernel_files.h"
#include "gpu/runtime/launch_context.h"
#include "tests/core/particles/particle_fixture.h"
#include "tests/gpu/test_devices.h"

namespace ks::tests {

inline Run sum_on(gpu::DeviceContext& device, const std::string& variant,
                  const particles::SumProblem& problem,
                  const std::map<std::string, std::string>& defines = {}, std::optional<std::uint64_t> memory_limit = {}) {
    for (const gpu::ClVariant& row : gpu::particles::cl_variants()) {
        if (row.info.id != variant) continue;
        Run run;
        run.request.analysis = "particles";
        run.request.defines = defines;
        run.request.memory_limit = memory_limit;
        run.variant = row.info;
        run.variant.source = gpu::kernel_text(row.info.source_file);
        run.device = device.info();
        Progress progress;
        gpu::LaunchContext context(device, run, progress);
        run.result = row.launch(problem, context);
        context.finish();
        return run;
    }
    throw Error(ErrorKind::run, "no such variant", variant);
}

/// Whether a variant's program builds there, where it asks that.
inline bool offers(gpu::DeviceContext& device, const std::string& variant) {
    for (const gpu::ClVariant& row : gpu::particles::cl_variants()) {
        if (row.info.id != variant) continue;
        const auto& needs = row.info.constraints.extensions;
        return std::ranges::all_of(
                   needs, [&](const std::string& name) { return device.info().has_extension(name); }) &&
               (row.probe.empty() || device.probe(variant, row.probe));
    }
    throw Error(ErrorKind::run, "no such variant", variant);
}

/// Of all targets, against the double reference of the host.
inline particles::SumErrors errors_of(const particles::SumProblem& problem, const Run& run) {
    Progress progress;
    return particles::compare_sums(problem, particles::sums_of(run.result, problem), 1, progress);
}

}  // namespace ks::tests
