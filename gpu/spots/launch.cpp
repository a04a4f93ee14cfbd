#include "core/spots/collector.h"
#include "gpu/spots/frame_pipeline.h"

namespace ks::gpu::spots {

Result launch_spots(const Problem& any, LaunchContext& context) {
    const auto& problem = dynamic_cast<const SpotProblem&>(any);
    ks::spots::SpotCollector collector(problem);
    const std::string kernels = find_signal(problem, context, collector);
    Result result = collector.result();
    result.facts["kernels"] = kernels;
    add(context.timings(), {"group", StageKind::host, collector.nanoseconds()});
    return result;
}

}  // namespace ks::gpu::spots
