#include "core/clusters/analysis.h"
#include "core/clusters/flood_fill.h"
#include "core/clusters/trace.h"
#include "core/clusters/union_find.h"

namespace ks::clusters {

std::vector<HostVariant> host_variants() {
    Variant reference;
    reference.analysis = "clusters";
    reference.id = "host.reference";
    reference.title = "Flood fill";
    reference.story = "every module filled from its first digi on, as clusters are defined";
    reference.source_file = "core/clusters/flood_fill.cpp";
    reference.streaming = Streaming::modules;
    reference.rank = 1;

    Variant union_find;
    union_find.analysis = "clusters";
    union_find.id = "host.unionfind";
    union_find.title = "Union-find on a grid";
    union_find.story =
        "digis sorted by module, neighbours read from a grid of places, sets joined under their "
        "smallest row";
    union_find.source_file = "core/clusters/union_find.cpp";
    union_find.streaming = Streaming::modules;
    union_find.rank = 10;

    const auto run = [](Result (*label)(const ClusterProblem&, HostContext&)) {
        return [label](const Problem& problem, HostContext& context) {
            const auto& clusters = dynamic_cast<const ClusterProblem&>(problem);
            Result result = label(clusters, context);
            add_host_traces(result, clusters);
            return result;
        };
    };
    return {{reference, run(run_reference)}, {union_find, run(run_union_find)}};
}

}  // namespace ks::clusters
