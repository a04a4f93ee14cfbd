#include "gpu/clusters/launch.h"

#include "core/base/stopwatch.h"
#include "core/clusters/result.h"
#include "core/clusters/traits.h"
#include "gpu/clusters/general_path.h"
#include "gpu/clusters/record.h"

namespace ks::gpu::clusters {
namespace {

/// Labels of all digis, chunk by chunk: upload, kernels, download. How many modules took the general path is
/// written to `general_modules`.
Array label_on_device(const ClusterProblem& problem, LaunchContext& context, MakeLabeller make,
                      std::size_t& general_modules) {
    Array labels = ks::clusters::make_labels(problem);
    if (problem.digis() == 0) return labels;
    context.let_wait(32);
    const std::unique_ptr<Labeller> labeller = make(problem, context);
    const std::vector<Chunk> chunks = chunks_of(problem, labeller->needs(), context);
    labeller->prepare(context, chunks);
    DigisOnDevice digis(problem, chunks, context);
    for (const Chunk& chunk : chunks) {
        digis.upload(chunk, context);
        labeller->enqueue(context, chunk, digis);
        context.download(
            "download_labels", digis.labels(),
            labels.bytes().subspan(chunk.first_row * sizeof(cl_int), chunk.rows * sizeof(cl_int)));
        context.progress().report(
            static_cast<double>(chunk.first_row + chunk.rows) / static_cast<double>(problem.digis()),
            "cluster");
    }
    const bool nothing_else = labeller->limit() == GeneralPath::all;
    general_modules = nothing_else ? 0 : GeneralPath::modules_over(problem, labeller->limit());
    return labels;
}

}  // namespace

Result launch_clusters(const Problem& any, LaunchContext& context, MakeLabeller make,
                       ks::clusters::TraceKind trace) {
    const auto& problem = dynamic_cast<const ClusterProblem&>(any);
    context.require(ks::clusters::traits_of(problem));
    std::size_t general_modules = 0;
    Stopwatch watch;
    Array labels = label_on_device(problem, context, make, general_modules);
    const double seconds = static_cast<double>(watch.lap()) / 1e9;
    Result result = to_result(problem, std::move(labels), context.timings());
    result.facts["general_path_modules"] = general_modules;
    if (seconds > 0) result.facts["digis_per_second"] = static_cast<double>(problem.digis()) / seconds;
    record_on_device(problem, trace, context, result);
    return result;
}

}  // namespace ks::gpu::clusters
