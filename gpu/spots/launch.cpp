#include "core/spots/collector.h"
#include "gpu/spots/frames/frame_pipeline.h"

namespace ks::gpu::spots {

Result launch_spots(const SpotProblem& problem, LaunchContext& context, MakeKernels make, GroupsOn groups,
                    DecodeOn decode) {
    std::string kernels;
    const auto memory = [&](std::size_t bytes) -> std::shared_ptr<std::byte[]> {
        const auto& lent = context.device().page_locked();  // allocated once, so its pages exist
        return lent ? lent->lend(bytes) : nullptr;
    };
    Result result = ks::spots::collect(
        problem, context.timings(),
        [&](ks::spots::SignalSink& sink) {
            kernels = find_signal(problem, context, make, sink, groups, decode);
        },
        memory);
    result.facts["kernels"] = kernels;
    return result;
}

}  // namespace ks::gpu::spots
