#include "gpu/xpcs/launch.h"

#include <utility>

#include "core/xpcs/correlators/families.h"
#include "core/xpcs/pairs/estimate.h"

namespace ks::gpu::xpcs {

std::vector<ClVariant> cl_variants() {
    const auto group = [](const char* size) {
        return DefineSpec{"WG", size, {"1", "32", "64", "128", "256"}, "work-items per group"};
    };
    // As published, they do not support a map.
    const std::vector<Condition> no_map{ks::xpcs::of_family("gram"), ks::xpcs::without_map()};
    std::vector<ClVariant> all{
        {{.analysis = "xpcs",
          .id = "seed.naive",
          .title = "Direct sums, one work-item per delay",
          .description = "As published: each work-item, for one bin and one delay, walks through all frames "
                         "and gathers pixels through the pixel list.",
          .source_file = "gpu/xpcs/seed_naive.cl",
          .entry_points = {"correlate"},
          .defines = {group("32")},
          .constraints = {.fp64 = true},
          .takes = no_map,
          .streaming = Streaming::resident,
          .baseline = true,
          .rank = 20},
         launch_seed_naive},
        {{.analysis = "xpcs",
          .id = "seed.ordered",
          .title = "Regrouped pixels, one work-group per delay",
          .description = "As published: pixels are regrouped by bin; then work-groups share the reads "
                         "and reduce in local memory.",
          .source_file = "gpu/xpcs/seed_ordered.cl",
          .entry_points = {"reorder", "correlate"},
          .defines = {group("128")},
          .constraints = {.fp64 = true, .local_bytes = 256 * 24},
          .takes = no_map,
          .streaming = Streaming::resident,
          .rank = 30},
         launch_seed_ordered},
        {{.analysis = "xpcs",
          .id = "gram.tiled",
          .title = "Fused tiles of the Gram matrix",
          .description =
              "Each pair of frames is multiplied once, in integer tiles; ratios are computed and summed "
              "while a tile is on "
              "the chip.",
          .source_file = "gpu/xpcs/gram_tiled.cl",
          .shared_sources = {"gpu/xpcs/regroup.cl", "gpu/xpcs/gram_combine.cl"},
          .entry_points = {"regroup", "gram_tiles", "gram_combine"},
          .defines =
              {{"TILE", "64", {"16", "32", "64"}, "frames per side of a tile"},
               group("256"),
               {"RM", "4", {"1", "2", "4", "8"}, "rows of a register block"},
               {"RN", "4", {"1", "2", "4", "8"}, "columns of a register block"},
               {"VW", "4", {"2", "4", "8", "16"}, "elements per vector"},
               {"CHUNK", "4096", {"1024", "2048", "4096", "8192"}, "pixels that stay in cache (AVX2, VNNI)"},
               {"PRODUCT", "auto", {"auto", "vector", "avx2", "vnni", "mma"}, "how a tile is multiplied"},
               {"FP64", "1", {"0", "1"}, "0: the host finishes the tiles"}},
          .constraints = {.local_bytes = 16 * 16 * 8 + 4 * 16 * 8},
          .takes = {ks::xpcs::of_family("gram"),
                    {.trait = "counts",
                     .what = "counts that are",
                     .values = {"whole"},
                     .without_fp64_only = true}},
          .streaming = Streaming::time_slabs,
          .rank = 100},
         launch_gram_tiled,
         {{"CPU", "", {{"WG", "1"}, {"RN", "2"}, {"VW", "8"}}},
          {"CPU", "f32", {{"RM", "2"}, {"RN", "2"}, {"VW", "4"}}}}},
    };
    for (ClVariant& row : all)
        for (Condition& condition : ks::xpcs::only_published())
            row.info.takes.push_back(std::move(condition));
    return all;
}

}  // namespace ks::gpu::xpcs
