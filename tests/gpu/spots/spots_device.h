#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "gpu/runtime/kernel_files.h"
#include "gpu/runtime/launch_context.h"
#include "gpu/spots/frames/frame_pipeline.h"
#include "gpu/spots/variants.h"
#include "tests/core/spots/spots_fixture.h"
#include "tests/gpu/test_devices.h"

namespace ks::tests {

inline Variant spots_variant(const std::string& id) {
    for (gpu::ClVariant& row : gpu::spots::cl_variants())
        if (row.info.id == id) {
            row.info.source = gpu::kernel_text(row.info.source_file);
            return row.info;
        }
    throw Error(ErrorKind::run, "no such variant", id);
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
    found.run.variant = spots_variant(variant);
    found.run.device = device.info();
    found.run.request.variant = variant;
    found.run.request.memory_limit = memory_limit;
    found.run.request.defines = defines;
    Progress progress;
    gpu::LaunchContext context(device, found.run, progress);
    found.kernels = gpu::spots::find_signal(problem, context, found.kept);
    context.finish();
    return found;
}

}  // namespace ks::tests
