#include "gpu/clusters/launch.h"

#include "core/base/stopwatch.h"
#include "core/clusters/analysis.h"

namespace ks::gpu::clusters {

Result launch_clusters(const ClusterProblem& problem, LaunchContext& context, MakeLabeller make,
                       ks::clusters::TraceKind trace, const PipelinePlan& plan) {
    context.require(ks::clusters::traits_of(problem));
    Stopwatch watch;
    Labelled labelled = label_on_device(problem, context, make, plan);
    const double seconds = static_cast<double>(watch.lap()) / 1e9;
    Result result = labelled.table
                        ? to_result(problem, std::move(labelled.labels), std::move(*labelled.table))
                        : to_result(problem, std::move(labelled.labels), context.timings());
    result.facts["general_path_modules"] = labelled.general_modules;
    if (seconds > 0) result.facts["digis_per_second"] = static_cast<double>(problem.digis()) / seconds;
    record_on_device(problem, trace, context, result);
    return result;
}

}  // namespace ks::gpu::clusters
