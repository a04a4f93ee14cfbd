#include "gpu/clusters/launch.h"

#include "core/base/error.h"
#include "core/base/stopwatch.h"
#include "core/clusters/result.h"
#include "core/clusters/traits.h"
#include "gpu/clusters/general_path.h"
#include "gpu/clusters/labellers.h"
#include "gpu/clusters/record.h"

namespace ks::gpu::clusters {
namespace {

using ks::clusters::TraceKind;

struct Row {
    const char* id;
    std::unique_ptr<Labeller> (*make)(const ClusterProblem&, LaunchContext&);
    TraceKind trace;
};
constexpr Row rows[] = {
    {"seed.findclus", make_staged, TraceKind::propagation},
    {"seed.findclus.tuned", make_staged, TraceKind::propagation},
    {"propagate.fused", make_grouped, TraceKind::propagation},
    {"unionfind.local", make_grouped, TraceKind::union_find},
    {"unionfind.global", make_general, TraceKind::union_find},
    {"sparse.sorted", make_grouped, TraceKind::union_find},
    {"map.cpu", make_mapped, TraceKind::union_find},
};

const Row& row_of(const LaunchContext& context) {
    for (const Row& row : rows)
        if (context.variant().id == row.id) return row;
    throw Error(ErrorKind::input, "no such way to cluster", context.variant().id);
}

}  // namespace

Array label_on_device(const ClusterProblem& problem, LaunchContext& context, std::size_t& general_modules) {
    Array labels = ks::clusters::make_labels(problem);
    if (problem.digis() == 0) return labels;
    context.let_wait(32);
    const std::unique_ptr<Labeller> labeller = row_of(context).make(problem, context);
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

Result launch_clusters(const Problem& any, LaunchContext& context) {
    const auto& problem = dynamic_cast<const ClusterProblem&>(any);
    context.require(ks::clusters::traits_of(problem));
    std::size_t general_modules = 0;
    Stopwatch watch;
    Array labels = label_on_device(problem, context, general_modules);
    const double seconds = static_cast<double>(watch.lap()) / 1e9;
    Result result = to_result(problem, std::move(labels), context.timings());
    result.facts["general_path_modules"] = general_modules;
    if (seconds > 0) result.facts["digis_per_second"] = static_cast<double>(problem.digis()) / seconds;
    record_on_device(problem, row_of(context).trace, context, result);
    return result;
}

}  // namespace ks::gpu::clusters
