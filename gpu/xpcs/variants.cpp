#include "gpu/xpcs/launch.h"

#include <utility>

#include "core/xpcs/correlators/families.h"
#include "core/xpcs/pairs/estimate.h"
#include "gpu/xpcs/gram_plan.h"

namespace ks::gpu::xpcs {

namespace {

using Product = GramShape::Product;
using ks::xpcs::of_family;

// The defines of the tile products, with the same meaning in every row.
const DefineSpec tile_size{"TILE", "64", {"16", "32", "64"}, "frames per side of a tile"};
const DefineSpec tile_group{"WG", "256", {"1", "32", "64", "128", "256"}, "work-items per group"};
const DefineSpec block_rows{"RM", "4", {"1", "2", "4", "8"}, "rows of a register block"};
DefineSpec block_columns(const char* standard) {
    return {"RN", standard, {"1", "2", "4", "8"}, "columns of a register block"};
}
const DefineSpec vector_width{"VW", "4", {"2", "4", "8", "16"}, "elements per vector"};
const DefineSpec chunk{
    "CHUNK", "4096", {"1024", "2048", "4096", "8192"}, "pixels that stay in cache (AVX2, VNNI)"};
const DefineSpec in_double{"FP64", "1", {"0", "1"}, "0: the host finishes the tiles"};

const Condition whole_counts{.trait = "counts", .what = "counts that are", .values = {"whole"}};
const Condition whole_without_fp64{
    .trait = "counts", .what = "counts that are", .values = {"whole"}, .without_fp64_only = true};
const Condition signed_shorts{
    .trait = "max_count", .what = "a largest count of", .values = {}, .maximum = 32767};
const Condition bytes{.trait = "element", .what = "counts of type", .values = {"u8"}};

constexpr std::size_t local_of_tiles_16 = 16 * 16 * 8 + 4 * 16 * 8;
constexpr std::size_t local_of_tiles_64 = 64 * 64 * 8 + 4 * 64 * 8;

struct ProductVariant {
    Product product;
    const char *id, *title, *description, *source_file;
    std::vector<DefineSpec> defines;
    std::size_t local_bytes;
    std::vector<Condition> takes;
    int rank;
    TuningTable tuning = {};
};

/// A variant of gram.tiled with one product.
ClVariant with_product(const ProductVariant& row) {
    return {{.analysis = "xpcs",
             .id = row.id,
             .title = row.title,
             .description = row.description,
             .source_file = row.source_file,
             .shared_sources = {"gpu/xpcs/regroup.cl", "gpu/xpcs/gram_combine.cl"},
             .entry_points = {"regroup", "gram_tiles", "gram_combine"},
             .defines = row.defines,
             .constraints = {.local_bytes = row.local_bytes},
             .takes = row.takes,
             .streaming = Streaming::time_slabs,
             .rank = row.rank},
            launch_gram(row.product),
            row.tuning,
            probe_of(row.product),
            {opencl_c_12},
            lack_of(row.product)};
}

}  // namespace

std::vector<ClVariant> cl_variants() {
    const auto group = [](const char* size) {
        return DefineSpec{"WG", size, {"1", "32", "64", "128", "256"}, "work-items per group"};
    };
    // As published, they do not support a map.
    const std::vector<Condition> no_map{of_family("gram"), ks::xpcs::without_map()};
    const TuningTable on_processors{{"CPU", "", {{"WG", "1"}, {"RN", "2"}, {"VW", "8"}}},
                                    {"CPU", "f32", {{"RM", "2"}, {"RN", "2"}, {"VW", "4"}}}};
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
              "Each pair of frames is multiplied once, in integer tiles, by the best product that the device "
              "has; ratios are computed and summed while a tile is on the chip.",
          .source_file = "gpu/xpcs/gram_tiled.cl",
          .shared_sources = {"gpu/xpcs/regroup.cl", "gpu/xpcs/gram_combine.cl"},
          .entry_points = {"regroup", "gram_tiles", "gram_combine"},
          .defines = {tile_size,
                      tile_group,
                      block_rows,
                      block_columns("4"),
                      vector_width,
                      chunk,
                      {"PRODUCT", "auto", product_words(), "how a tile is multiplied"},
                      in_double},
          .constraints = {.local_bytes = local_of_tiles_16},
          .takes = {of_family("gram"), whole_without_fp64},
          .streaming = Streaming::time_slabs,
          .rank = 100},
         launch_gram_tiled,
         on_processors},
        with_product({.product = Product::mma,
                      .id = "gram.tensor",
                      .title = "Tiles by tensor cores",
                      .description = "gram.tiled with the 8-bit tensor cores of NVIDIA devices.",
                      .source_file = "gpu/xpcs/gram_tensor.cl",
                      .defines = {{"SPAN",
                                   "auto",
                                   {"auto", "1", "2"},
                                   "tiles per side that a group multiplies (sm_90 and later)"},
                                  in_double},
                      .local_bytes = local_of_tiles_64,
                      .takes = {of_family("gram"), whole_counts, bytes},
                      .rank = 90}),
        with_product({.product = Product::vnni,
                      .id = "gram.vnni",
                      .title = "Tiles by AVX-512 VNNI",
                      .description = "gram.tiled with the AVX-512 VNNI instructions of x86 processors.",
                      .source_file = "gpu/xpcs/gram_vnni.cl",
                      .defines = {tile_size, block_rows, block_columns("4"), chunk, in_double},
                      .local_bytes = 0,
                      .takes = {of_family("gram"), whole_counts, signed_shorts},
                      .rank = 80}),
        with_product(
            {.product = Product::dp4a,
             .id = "gram.dp4a",
             .title = "Tiles by dp4a",
             .description = "gram.tiled with dp4a of NVIDIA devices, which adds four products of bytes.",
             .source_file = "gpu/xpcs/gram_dp4a.cl",
             .defines = {in_double},
             .local_bytes = local_of_tiles_64,
             .takes = {of_family("gram"), whole_counts, bytes},
             .rank = 75}),
        with_product({.product = Product::avx2,
                      .id = "gram.avx2",
                      .title = "Tiles by AVX2",
                      .description = "gram.tiled with the AVX2 instructions of x86 processors.",
                      .source_file = "gpu/xpcs/gram_avx2.cl",
                      .defines = {tile_size, block_rows, block_columns("2"), chunk, in_double},
                      .local_bytes = 0,
                      .takes = {of_family("gram"), whole_counts, signed_shorts},
                      .rank = 70}),
        with_product(
            {.product = Product::vector,
             .id = "gram.vector",
             .title = "Tiles by plain vectors",
             .description = "gram.tiled with vectors of OpenCL C, on any device and for any counts.",
             .source_file = "gpu/xpcs/gram_vector.cl",
             .defines = {tile_size, tile_group, block_rows, block_columns("4"), vector_width, in_double},
             .local_bytes = local_of_tiles_16,
             .takes = {of_family("gram"), whole_without_fp64},
             .rank = 60,
             .tuning = on_processors}),
        {{.analysis = "xpcs",
          .id = "fft.stockham",
          .title = "Fourier transforms of pairs of pixels",
          .description = "Work-groups transform two pixels at a time in double precision and add their power "
                         "spectra; the host transforms the spectrum of each bin back. No error of g2.",
          .source_file = "gpu/xpcs/fft_stockham.cl",
          .entry_points = {"order_series", "spectra", "add_bands"},
          .defines = {{"WG", "auto", {"auto", "1", "32", "64", "128", "256"}, "work-items per group"},
                      {"VW", "1", {"1", "2", "4", "8"}, "series that a work-item transforms"}},
          .constraints = {.fp64 = true},
          .takes = {of_family("fft"), ks::xpcs::without_map()},
          .streaming = Streaming::resident,
          .rank = 15,
          .cpu_rank = -1,  // host.fft is faster there
          .tolerances = {{"g2", 1e-9}},
          .lacks = {"g2_err", "two_time"}},
         launch_fft_stockham,
         {{"CPU", "", {{"WG", "1"}, {"VW", "8"}}}}},
        {{.analysis = "xpcs",
          .id = "multitau.band",
          .title = "Bands of the Gram matrix of each level",
          .description =
              "Sums of 2, 4, 8, ... frames stay on the device while frames arrive; work-groups multiply each "
              "new sum by the few before it, several at a time.",
          .source_file = "gpu/xpcs/multitau_band.cl",
          .entry_points = {"take_frames", "add_levels", "multiply", "merge"},
          .defines = {group("64"),
                      {"VW", "1", {"1", "4", "8", "16"}, "pixels per vector"},
                      {"RT", "8", {"1", "2", "4", "8"}, "samples of a register block"},
                      {"RK", "8", {"1", "2", "4", "8"}, "steps of a register block"},
                      {"PIECE", "4096", {"256", "1024", "4096"}, "pixels per work-group"}},
          .constraints = {.local_bytes = (16 * (64 + 4) + 8 * 9) * 8},
          .takes = {of_family("multitau"), ks::xpcs::without_map(), ks::xpcs::without_rebinning(),
                    whole_without_fp64},
          .streaming = Streaming::frames,
          .rank = 15,
          .cpu_rank = -1,  // host.multitau is faster with few frames
          .lacks = {"two_time"}},
         launch_multitau_band,
         {{"CPU", "", {{"WG", "1"}, {"VW", "16"}, {"RT", "4"}, {"RK", "4"}, {"PIECE", "1024"}}},
          {"CPU", "u16", {{"VW", "8"}}},
          {"CPU", "u32", {{"VW", "8"}}},
          {"CPU", "f32", {{"VW", "8"}}}}},
    };
    for (ClVariant& row : all)
        for (Condition& condition : ks::xpcs::only_published())
            row.info.takes.push_back(std::move(condition));
    return all;
}

}  // namespace ks::gpu::xpcs
