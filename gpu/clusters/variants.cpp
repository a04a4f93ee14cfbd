#include "gpu/clusters/launch.h"

#include "gpu/clusters/general_path.h"

namespace ks::gpu::clusters {
namespace {

using ks::clusters::TraceKind;

DefineSpec group_size(const char* name, const char* size, const char* help) {
    return {name, size, {"1", "2", "4", "8", "16", "32", "64", "128", "256", "512", "1024"}, help};
}

/// Sums of charges are 32 bits wide in local memory.
Condition narrow_charges() {
    return {"charge_sums", "sums of charge that fit", {"32 bits"}};
}

DefineSpec atomic_reads() {
    return {"ATOMIC_READS",
            "0",
            {"0", "1"},
            "1: parents are read with atomic functions, for tools that report races"};
}

Variant described(const char* id, const char* title, const char* description, const char* source,
                  std::vector<std::string> entry_points, std::vector<DefineSpec> defines,
                  std::vector<std::string> shared_sources, int rank) {
    for (const char* further : {"gpu/clusters/unpack_digis.cl", "gpu/clusters/cluster_table.cl",
                                "gpu/clusters/trace.cl"})  // the last is used if a module is recorded
        shared_sources.emplace_back(further);
    return {.analysis = "clusters",
            .id = id,
            .title = title,
            .description = description,
            .source_file = source,
            .shared_sources = std::move(shared_sources),
            .entry_points = std::move(entry_points),
            .defines = std::move(defines),
            .streaming = Streaming::modules,
            .rank = rank};
}

/// Digis grouped by module first; modules over the limit take the general path.
std::vector<std::string> grouped() {
    return {"gpu/clusters/grouping.cl", "gpu/clusters/general_path.cl"};
}

/// The published kernel. @param size group size
Variant published(const char* id, const char* title, const char* description, const char* size, int rank) {
    Variant seed = described(
        id, title, description, "gpu/clusters/seed_findclus.cl",
        {"find_duplicates", "sort_columns", "list_neighbours", "propagate", "renumber", "cut_charge"},
        {{"WG",
          size,
          {"1", "2", "4", "8", "16", "32", "64", "128", "256", "384", "512", "1024"},
          "work-items per group: 256 in the first publication, 384 for the second phase of the detector"},
         {"GROUPS",
          "1048576",
          {},
          "maximum number of groups; if there are more modules, each group takes several in turn"},
         {"LIMIT",
          "6000",
          {},
          "number of digis up to which a module is processed by its group; larger modules take the general "
          "path"},
         {"PAIRWISE",
          "0",
          {"0", "1"},
          "1: duplicates are found by comparing all pairs, as in the first version"},
         atomic_reads()},
        grouped(), rank);
    seed.takes = {narrow_charges()};
    return seed;
}

/// One group per module in local memory. @param small digis of a small module
Variant in_local_memory(const char* id, const char* title, const char* description, const char* source,
                        const char* small, int rank) {
    const std::vector<std::string> sizes{"4", "16", "64", "128", "256", "512", "1024", "2048", "4096"};
    Variant variant = described(id, title, description, source, {"cluster_modules"},
                                {group_size("WG", "32", "work-items per group for small modules"),
                                 {"SMALL", small, sizes, "maximum number of digis of a small module"},
                                 group_size("LARGE_WG", "256", "work-items per group for larger modules"),
                                 {"LIMIT", "2048", sizes,
                                  "number of digis up to which a module is processed in local memory; larger "
                                  "modules take the general path"},
                                 atomic_reads()},
                                grouped(), rank);
    variant.takes = {narrow_charges()};
    variant.rules = {"SMALL <= LIMIT", "WG <= LARGE_WG", "LARGE_WG <= work_group"};
    return variant;
}

/// A row: description, labelling method, what is recorded of a module, and tuning.
ClVariant row(Variant info, MakeLabeller make, TraceKind trace, TuningTable tuning = {}) {
    return {std::move(info),
            [make, trace](const ks::clusters::ClusterProblem& problem, LaunchContext& context) {
                return launch_clusters(problem, context, make, trace, PipelinePlan::of(context));
            },
            std::move(tuning)};
}

/// Groups of one item are loops on CPUs.
TuningTable single_items() {
    return {{"CPU", "", {{"WG", "1"}, {"LARGE_WG", "1"}}}};
}

}  // namespace

std::vector<ClVariant> cl_variants() {
    Variant seed = published("seed.findclus", "Label propagation in stages",
                             "As published, with corrections: stages find duplicates, columns and "
                             "neighbours, then labels spread in rounds.",
                             "256", 10);
    seed.baseline = true;
    Variant map =
        described("map.cpu", "Pixel map, for CPUs",
                  "One work-item per event sorts digis by module and looks up neighbours in a pixel map, "
                  "without atomic functions.",
                  "gpu/clusters/map_cpu.cl", {"cluster_blocks"},
                  {{"ITEMS", "4", {"1", "2", "4", "8", "16"}, "work-items per compute unit"}}, {}, 5);
    map.cpu_rank = 200;
    map.takes = {{"module_pixels", "modules whose occupied area in pixels is", {}, {}, max_map_pixels},
                 {"block_digis", "events whose number of digis is", {}, {}, max_block_digis}};
    return {
        row(seed, make_staged, TraceKind::propagation),
        row(published("seed.findclus.tuned", "Published stages with a tuned group size",
                      "The published kernels, with group sizes from a tuning table.", "128", 8),
            make_staged, TraceKind::propagation, {{"CPU", "", {{"WG", "1"}}}}),
        row(in_local_memory("propagate.fused", "Label propagation in one launch",
                            "Columns, neighbours and labels of a module stay in local memory and registers.",
                            "gpu/clusters/propagate_fused.cl", "128", 40),
            make_grouped, TraceKind::propagation, single_items()),
        row(in_local_memory("unionfind.local", "Union-find in local memory",
                            "Neighbours are found in a hash table of pixels; connected digis are united "
                            "under the smallest of them.",
                            "gpu/clusters/unionfind_local.cl", "256", 100),
            make_grouped, TraceKind::union_find, single_items()),
        row(described("unionfind.global", "Union-find in global memory",
                      "One hash table for all digis: modules may have any size, and nothing is sorted.",
                      "gpu/clusters/general_path.cl",
                      {"start_forest", "enter_digis", "link_digis", "sum_clusters", "finish_labels"},
                      {group_size("WG", GeneralPath::default_group, "work-items per group"), atomic_reads()},
                      {}, 60),
            make_general, TraceKind::union_find, GeneralPath::tuning()),
        row(in_local_memory("sparse.sorted", "Sorted once, one pass",
                            "Digis are sorted by column and row; each one looks forward for its neighbours.",
                            "gpu/clusters/sparse_sorted.cl", "256", 110),
            make_grouped, TraceKind::union_find, single_items()),
        row(map, make_mapped, TraceKind::union_find),
    };
}

}  // namespace ks::gpu::clusters
