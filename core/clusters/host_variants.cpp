#include <fmt/format.h>

#include "core/base/host_memory.h"
#include "core/clusters/analysis.h"
#include "core/clusters/labelling/flood_fill.h"
#include "core/clusters/labelling/union_find.h"
#include "core/clusters/trace/trace.h"

namespace ks::clusters {
namespace {

/// Memory held by a host variant: the digis with their slots and the columns of both for results, labels, and
/// digis in the order of their modules. The table of clusters is not included, since
/// it depends on the labels.
std::uint64_t host_bytes(const ClusterProblem& problem) {
    const ModuleDigis& digis = *problem.shared();
    const std::uint64_t columns = digis.module_column().bytes().size() + digis.event_column().bytes().size();
    const std::uint64_t of_digi = 2 * sizeof(std::uint16_t) + 3 * sizeof(std::uint32_t) +
                                  (digis.table().has_events() ? sizeof(std::uint32_t) : 0);
    const std::uint64_t of_slot = sizeof(std::uint64_t) + 3 * sizeof(std::uint32_t);
    const std::uint64_t labels = sizeof(std::int32_t), sorted = sizeof(std::uint64_t);
    return digis.size() * (of_digi + labels + sorted) + columns +
           digis.slots() * (2 * of_slot + 3 * sizeof(std::uint64_t));
}

}  // namespace

std::vector<HostVariant> host_variants() {
    const auto run = [](Result (*label)(const ClusterProblem&, HostContext&)) {
        return [label](const ClusterProblem& clusters, HostContext& context) {
            require_within(
                context.memory_limit, host_bytes(clusters),
                fmt::format("{} digis in {} modules on the host", clusters.digis(), clusters.slots()),
                clusters.shared()->name());
            Result result = label(clusters, context);
            add_host_traces(result, clusters);
            return result;
        };
    };
    return {{{
                 .analysis = "clusters",
                 .id = "host.reference",
                 .title = "Flood fill",
                 .description = "Fills the clusters of each module, starting at its first digi; this defines "
                                "what a cluster is.",
                 .source_file = "core/clusters/labelling/flood_fill.cpp",
                 .streaming = Streaming::modules,
                 .rank = 1,
             },
             run(run_reference)},
            {{
                 .analysis = "clusters",
                 .id = "host.unionfind",
                 .title = "Union-find on a grid",
                 .description = "Digis are sorted by module, neighbours are read from a grid of digi "
                                "indices, and sets are joined under their smallest row.",
                 .source_file = "core/clusters/labelling/union_find.cpp",
                 .streaming = Streaming::modules,
                 .rank = 10,
             },
             run(run_union_find)}};
}

}  // namespace ks::clusters
