#include "core/run/stopwatch.h"
#include "core/spots/collector.h"
#include "gpu/spots/frame_pipeline.h"

namespace ks::gpu::spots {

Result launch_spots(const Problem& any, LaunchContext& context) {
    const auto& problem = dynamic_cast<const SpotProblem&>(any);
    ks::spots::SpotCollector collector(problem);
    Stopwatch watch;
    const std::string kernels = find_signal(problem, context, collector);
    Result result = collector.result();
    const double seconds = static_cast<double>(watch.lap()) / 1e9;
    const auto frames = static_cast<double>(problem.frames() - problem.shared()->missing());
    if (seconds > 0) result.facts["frames_per_second"] = frames / seconds;
    result.facts["kernels"] = kernels;
    add(context.timings(), {"group", StageKind::host, collector.nanoseconds()});
    return result;
}

}  // namespace ks::gpu::spots
