#include "core/spots/collector.h"
#include "gpu/spots/frames/frame_pipeline.h"

namespace ks::gpu::spots {

Result launch_spots(const Problem& any, LaunchContext& context, MakeKernels make) {
    const auto& problem = dynamic_cast<const SpotProblem&>(any);
    std::string kernels;
    Result result = ks::spots::collect(problem, context.timings(), [&](ks::spots::SignalSink& sink) {
        kernels = find_signal(problem, context, make, sink);
    });
    result.facts["kernels"] = kernels;
    return result;
}

}  // namespace ks::gpu::spots
