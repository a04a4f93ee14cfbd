#include "gpu/particles/launch.h"

#include "core/particles/treecode/treecode_result.h"
#include "gpu/runtime/tuned_defines.h"

namespace ks::gpu::particles {
namespace {

using ks::particles::Precision;

DefineSpec group(const char* size) {
    return {"WG", size, {"1", "16", "32", "64", "128", "256"}, "work-items per group"};
}
DefineSpec tile() {
    return {"TILE",
            "128",
            {"32", "64", "128", "256", "512"},
            "sources whose terms are added up before their sum is added to the total"};
}
DefineSpec items(const char* count) {
    return {"ITEMS", count, {"1", "2", "4", "8"}, "targets per work-item"};
}

Condition single() {
    return {"precision", "precision", {"f32"}};
}
/// Terms are added for potentials only.
Condition no_gradient() {
    return {"gradient", "gradient", {"off"}};
}
/// Problems for cells of sources: potentials of one real vector of weights, in float.
std::vector<Condition> of_cells() {
    return {{"kernel", "kernel", {"rbf", "laplace"}},
            single(),
            no_gradient(),
            {"weights", "weights that are", {"real"}},
            {"vectors", "a number of weight vectors of", {}, {}, 1}};
}

/// Builds only if tensor cores multiply halves (NVIDIA, sm_80 and later).
constexpr const char* halves_probe = R"(
kernel void probe(global float* c) {
    float w, x, y, z;
    asm("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0, %1, %2, %3}, {%4, %4, %4, %4}, {%4, %4}, "
        "{%5, %5, %5, %5};"
        : "=f"(w), "=f"(x), "=f"(y), "=f"(z) : "r"(0), "f"(c[0]));
    c[0] = w + x + y + z;
})";

Variant described(const char* id, const char* title, const char* description, const char* source,
                  const char* entry_point, std::vector<DefineSpec> defines, std::size_t local_bytes,
                  int rank) {
    return {
        .analysis = "particles",
        .id = id,
        .title = title,
        .description = description,
        .source_file = source,
        .entry_points = {entry_point},
        .defines = std::move(defines),
        .constraints = {.local_bytes = local_bytes},
        .takes = {{.trait = "precision", .what = "precision", .values = {"f32"}, .without_fp64_only = true}},
        .streaming = Streaming::targets,
        .rank = rank};
}

Variant also_takes(Variant variant, const std::vector<Condition>& more) {
    variant.takes.insert(variant.takes.end(), more.begin(), more.end());
    return variant;
}

/// The published kernel. @param sources per block
Variant published(const char* id, const char* title, const char* description, const char* sources, int rank) {
    Variant seed = also_takes(
        described(id, title, description, "gpu/particles/seed_block.cl", "block_sums",
                  {{"TARGETS", "16", {"1", "4", "8", "16"}, "targets per group"},
                   {"SOURCES", sources, {"8", "16", "32", "64"}, "maximum number of sources per block"}},
                  16 * 64 * 20 + 64 * 40 + 16 * 24, rank),
        {no_gradient()});
    seed.rules = {"TARGETS * SOURCES <= work_group"};
    return seed;
}

// Properties of the kernels for their launches.
constexpr SumKernel of_pairs{.targets = [](const Defines&, std::size_t group, Precision) { return group; },
                             .pairs = true};
constexpr SumKernel of_targets{.targets = [](const Defines&, std::size_t group, Precision) { return group; }};
constexpr SumKernel of_items{.targets = [](const Defines& defines, std::size_t group, Precision) {
    return group * number(defines, "ITEMS");
}};
constexpr SumKernel of_vectors{
    .targets =
        [](const Defines& defines, std::size_t group, Precision precision) {
            return group * number(defines, "BLOCKS") * (precision == Precision::f32 ? 16 : 8);
        },
    .rate = [](const DeviceInfo& device) { return device.type == "GPU" ? 5e11 : 2e9; }};
constexpr SumKernel of_item_cells{.targets = of_items.targets, .cells = true};
constexpr SumKernel of_tensor_cells{
    // a warp of 32 work-items has TILES rows of 16 targets
    .targets = [](const Defines& defines, std::size_t group,
                  Precision) { return group / 2 * number(defines, "TILES"); },
    .cells = true,
    // Near its peak of 16 terms per cycle and unit: with smaller splits, more launches would end with idle
    // units, and a million targets would take 10 % longer.
    .rate = [](const DeviceInfo& device) { return 2e10 * device.compute_units; }};

using LaunchSums = Result (*)(const SumKernel&, const ks::particles::SumProblem&, LaunchContext&);

/// A row: description of the variant, and how it is launched.
ClVariant row(Variant info, const SumKernel& kernel, LaunchSums launch = launch_sums) {
    return {std::move(info),
            [kernel, launch](const ks::particles::SumProblem& problem, LaunchContext& context) {
                return launch(kernel, problem, context);
            }};
}

ClVariant tuned_row(Variant info, const SumKernel& kernel, TuningTable tuning) {
    ClVariant made = row(std::move(info), kernel);
    made.tuning = std::move(tuning);
    return made;
}

/// Never the default, since it approximates.
ClVariant treecode_row() {
    Variant info =
        described("treecode", "Treecode, to a tolerance",
                  "Approximates to the requested tolerance: distant clusters interact through Chebyshev "
                  "points; it runs only if you name it.",
                  "gpu/particles/treecode.cl", "gather_weights",
                  {{"WG", "64", {"1", "32", "64", "128"}, "work-items per group"},
                   {"ITEMS", "4", {"1", "2", "4"}, "targets, or vectors of targets, per work-item"},
                   tile(),
                   {"EXPLICIT", "0", {"0", "1"}, "1: vectors of neighbouring targets, for CPUs"},
                   {"LEAF",
                    "256",
                    {"16", "32", "64", "96", "128", "192", "256", "384", "512", "1024"},
                    "maximum points per leaf"}},
                  128 * 5 * 8 + 16 * 1024, 50);
    info.entry_points = {"gather_weights", "place_proxies", "sum_lists",
                         "hand_down",      "spread_sums",   "sort_back"};
    info.streaming = Streaming::resident;
    info.tolerances = {{ks::particles::asked_tolerance, 1}};
    info.by_name_only = true;
    ClVariant made{std::move(info), launch_treecode};
    made.tuning = {{"CPU", "", {{"WG", "1"}, {"EXPLICIT", "1"}, {"LEAF", "128"}}}};
    return made;
}

}  // namespace

std::vector<ClVariant> cl_variants() {
    constexpr std::size_t tile_bytes = 128 * 5 * 8;
    Variant seed = published("seed.block", "One work-item per pair",
                             "As published: a group computes the terms of a block of targets and sources in "
                             "local memory; one row of its work-items sums them.",
                             "64", 20);
    seed.baseline = true;
    Variant vectors = described(
        "vector.cpu", "Explicit vectors, for CPUs",
        "Work-items sum whole vectors of neighbouring targets and compute exponentials as polynomials.",
        "gpu/particles/vector_cpu.cl", "vector_sums",
        {group("16"), {"BLOCKS", "4", {"1", "2", "4", "8"}, "vectors per work-item"}, tile()}, 0, 45);
    vectors.cpu_rank = 200;
    Variant tensor = described("tensor.cells", "Sources in cells, distances from tensor cores",
                               "Squared distances in cells are matrix products in half precision; some terms "
                               "are computed as polynomials.",
                               "gpu/particles/tensor_cells.cl", "tensor_sums",
                               {{"WG", "256", {"64", "128", "256", "512"}, "work-items per group"},
                                {"TILES", "4", {"1", "2", "3", "4"}, "rows of 16 targets per warp"},
                                {"POLYNOMIAL",
                                 "3",
                                 {"0", "1", "2", "3", "4", "5", "6"},
                                 "how many of 16 terms are computed as polynomials"}},
                               2 * 256 * 36, 66);
    tensor.constraints.extensions = {"cl_nv_compiler_options"};
    ClVariant tensor_cells = row(also_takes(tensor, of_cells()), of_tensor_cells, launch_source_cells);
    tensor_cells.probe = halves_probe;
    Variant mixed = described(
        "mixed", "Float products, accurate sums",
        "Terms are computed in float, and each is added with compensation or in double, so long sums keep "
        "their last bits.",
        "gpu/particles/mixed.cl", "tiled_sums",
        {group("128"), tile(), items("2"), {"MIXED", "1", {"1", "2"}, "1: compensated, 2: in double"}},
        tile_bytes, 60);
    mixed.tolerances = {{"potential", 1e-6}};
    return {
        row(seed, of_pairs),
        row(published("seed.block.tuned", "The published kernel in smaller groups",
                      "The published kernel in groups of 16 x 16 work-items, for devices that do not allow "
                      "larger groups.",
                      "16", 15),
            of_pairs),
        row(described("target.tiled", "One target per work-item",
                      "Sources are staged in local memory, in tiles shared by a group.",
                      "gpu/particles/target_tiled.cl", "tiled_sums", {group("128"), tile()}, tile_bytes, 80),
            of_targets),
        tuned_row(described("target.registers", "Several targets per work-item",
                            "Each source read serves several targets, whose exponentials overlap.",
                            "gpu/particles/target_registers.cl", "tiled_sums",
                            {group("128"), tile(), items("4")}, tile_bytes, 100),
                  of_items,
                  {{"CPU", "", {{"WG", "1"}, {"ITEMS", "8"}}},
                   {"NVIDIA", "f64", {{"WG", "64"}, {"ITEMS", "1"}, {"TILE", "256"}}},
                   {"NVIDIA", "f32", {{"WG", "64"}, {"ITEMS", "1"}, {"TILE", "512"}}, one_sum}}),
        tuned_row(also_takes(described("exp.poly", "Some exponentials as polynomials",
                                       "Special function units compute some exponentials of a work-item's "
                                       "targets, and multipliers the others.",
                                       "gpu/particles/exp_poly.cl", "tiled_sums",
                                       {group("128"),
                                        tile(),
                                        items("4"),
                                        {"POLYNOMIAL",
                                         "1",
                                         {"1", "2", "3", "4", "8"},
                                         "number of targets with polynomial exponentials"}},
                                       tile_bytes, 90),
                             {single()}),
                  // All are polynomials there, and neighbouring work-items are vectorised.
                  of_items, {{"CPU", "", {{"ITEMS", "1"}}}}),
        row(also_takes(described("source.cells", "Sources in cells",
                                 "Neighbouring sources form cells and have coordinates relative to the "
                                 "centre of their cell, so squared distances cost less.",
                                 "gpu/particles/source_cells.cl", "cell_sums",
                                 {{"WG", "512", {"256", "512", "1024"}, "work-items per group"}, items("4")},
                                 256 * 5 * 4 + 8, 65),
                       of_cells()),
            of_item_cells, launch_source_cells),
        tensor_cells,
        {also_takes(
             described("plane.product", "Planes as a product of matrices",
                       "An RBF is a function of the row times a function of the column, so exponentials are "
                       "computed per row and per column, and pairs need only multiplications.",
                       "gpu/particles/plane_product.cl", "product_sums",
                       {{"WG", "128", {"64", "128", "256"}, "work-items per group"},
                        {"ROWS", "32", {"32", "64"}, "rows of targets per group"},
                        {"COLUMNS", "32", {"32", "64"}, "columns of targets per group"},
                        {"TILE", "32", {"32", "64"}, "sources at a time"}},
                       32 * 1024, 70),
             {{"kernel", "kernel", {"rbf"}}, {"targets", "targets on", {"planes"}}}),
         launch_plane_product},
        row(also_takes(mixed, {single()}), of_items),
        row(vectors, of_vectors),
        treecode_row(),
    };
}

}  // namespace ks::gpu::particles
