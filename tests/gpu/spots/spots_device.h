#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "core/spots/analysis.h"
#include "gpu/runtime/launch_context.h"
#include "gpu/spots/variants.h"
#include "tests/core/spots/spots_fixture.h"
#include "tests/gpu/test_devices.h"
#include "tests/gpu/variant_table.h"

namespace ks::tests {

inline gpu::spots::SpotVariant spots_row(const std::string& id) {
    return row_of(gpu::spots::spot_variants(), id);
}
inline std::vector<const char*> spots_ids(const std::function<bool(const Variant&)>& wanted = {}) {
    return ids_of(gpu::spots::spot_variants(), wanted);
}
/// The rows that take a problem, on a device with double precision.
inline std::vector<const char*> takers(const spots::SpotProblem& problem) {
    return spots_ids(
        [&](const Variant& variant) { return why_not(variant, traits_of(problem), true).empty(); });
}

struct FoundSignal {
    KeptSignal kept;
    Run run;
    std::string kernels;
};

inline FoundSignal find_on(gpu::DeviceContext& device, const std::string& variant,
                           const spots::SpotProblem& problem, std::optional<std::uint64_t> memory_limit = {},
                           const std::map<std::string, std::string>& defines = {}) {
    FoundSignal found;
    const gpu::spots::SpotVariant row = spots_row(variant);
    found.run.variant = row.info;
    found.run.device = device.info();
    found.run.request.variant = variant;
    found.run.request.memory_limit = memory_limit;
    found.run.request.defines = defines;
    Progress progress;
    gpu::LaunchContext context(device, found.run, progress, row.tuning);
    found.kernels = gpu::spots::find_signal(problem, context, row.make, found.kept);
    context.finish();
    return found;
}

}  // namespace ks::tests
