#include "gpu/particles/variants.h"

#include "gpu/particles/launch.h"

namespace ks::gpu::particles {
namespace {

DefineSpec group() {
    return {"WG", "128", {"1", "16", "32", "64", "128", "256"}, "work-items of a group"};
}
DefineSpec tile() {
    return {"TILE", "128", {"32", "64", "128", "256", "512"}, "sources whose terms are added up first"};
}
DefineSpec items(const char* standard) {
    return {"ITEMS", standard, {"1", "2", "4", "8"}, "targets of a work-item"};
}

/// Builds where tensor cores multiply halves (NVIDIA, sm_80 and later).
constexpr const char* halves_probe = R"(
kernel void probe(global float* c) {
    float w, x, y, z;
    asm("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0, %1, %2, %3}, {%4, %4, %4, %4}, {%4, %4}, "
        "{%5, %5, %5, %5};"
        : "=f"(w), "=f"(x), "=f"(y), "=f"(z) : "r"(0), "f"(c[0]));
    c[0] = w + x + y + z;
})";

Variant row(const char* id, const char* title, const char* story, const char* source, const char* entry_point,
            std::vector<DefineSpec> defines, std::size_t local_bytes, int rank) {
    return {.analysis = "particles",
            .id = id,
            .title = title,
            .story = story,
            .source_file = source,
            .source = {},
            .entry_points = {entry_point},
            .defines = std::move(defines),
            .constraints = {.local_bytes = local_bytes, .extensions = {}},
            .streaming = Streaming::targets,
            .rank = rank};
}

}  // namespace

std::vector<ClVariant> cl_variants() {
    constexpr std::size_t tile_bytes = 128 * 5 * 8;
    Variant seed =
        row("seed.block", "A work-item a pair",
            "As published: a block of targets and sources, terms in local memory, one row adds them up.",
            "gpu/particles/seed_block.cl", "block_sums",
            {{"TARGETS", "16", {"1", "4", "8", "16"}, "targets of a group"},
             {"SOURCES", "64", {"8", "16", "32", "64"}, "sources of a block"}},
            16 * 64 * 20 + 64 * 40 + 16 * 24, 20);
    seed.baseline = true;
    Variant vectors =
        row("vector.cpu", "Explicit vectors, for processors",
            "Items sum for whole vectors of neighbouring targets, with exponentials as polynomials.",
            "gpu/particles/vector_cpu.cl", "vector_sums",
            {group(), {"BLOCKS", "4", {"1", "2", "4", "8"}, "vectors of a work-item"}, tile()}, 0, 45);
    vectors.cpu_rank = 200;
    Variant tensor =
        row("tensor.cells", "Sources in cells, distances from tensor cores",
            "Squared distances in cells are products of matrices of halves; some terms are polynomials.",
            "gpu/particles/tensor_cells.cl", "tensor_sums",
            {{"WG", "256", {"64", "128", "256", "512"}, "work-items of a group"},
             {"TILES", "4", {"1", "2", "3", "4"}, "rows of 16 targets of a warp"},
             {"POLYNOMIAL", "3", {"0", "1", "2", "3", "4", "5", "6"}, "terms of 16 that are polynomials"}},
            2 * 256 * 36, 66);
    tensor.constraints.extensions = {"cl_nv_compiler_options"};
    Variant mixed =
        row("mixed", "Float products, exact sums",
            "Terms in float, each added with compensation or in double; the last bits of long sums stay.",
            "gpu/particles/mixed.cl", "tiled_sums",
            {group(), tile(), items("2"), {"MIXED", "1", {"1", "2"}, "1: compensated, 2: in double"}},
            tile_bytes, 60);
    mixed.tolerances = {{"potential", 1e-6}};
    return {
        {seed, launch_sums},
        {row("target.tiled", "A target a work-item",
             "Sources go through local memory in tiles that a group shares.", "gpu/particles/target_tiled.cl",
             "tiled_sums", {group(), tile()}, tile_bytes, 80),
         launch_sums},
        {row("target.registers", "Several targets a work-item",
             "Each source that is read serves several targets, whose exponentials overlap.",
             "gpu/particles/target_registers.cl", "tiled_sums", {group(), tile(), items("4")}, tile_bytes,
             100),
         launch_sums},
        {row("exp.poly", "Some exponentials as polynomials",
             "Special function units and multipliers share the exponentials of a work-item's targets.",
             "gpu/particles/exp_poly.cl", "tiled_sums",
             {group(),
              tile(),
              items("4"),
              {"POLYNOMIAL", "1", {"1", "2", "3", "4", "8"}, "targets whose exponentials are polynomials"}},
             tile_bytes, 90),
         launch_sums},
        {row("source.cells", "Sources in cells",
             "Neighbouring sources with coordinates relative to their middle: squared distances cost less "
             "there.",
             "gpu/particles/source_cells.cl", "cell_sums",
             {{"WG", "512", {"256", "512", "1024"}, "work-items of a group"}, items("4")}, 256 * 5 * 4 + 8,
             65),
         launch_source_cells},
        {tensor, launch_source_cells, halves_probe},
        {row("plane.product", "Planes as a product of matrices",
             "RBF is a function of the row times one of the column: exponentials for each, products for the "
             "pairs.",
             "gpu/particles/plane_product.cl", "product_sums",
             {{"WG", "128", {"64", "128", "256"}, "work-items of a group"},
              {"ROWS", "32", {"32", "64"}, "rows of targets of a group"},
              {"COLUMNS", "32", {"32", "64"}, "columns of targets of a group"},
              {"TILE", "32", {"32", "64"}, "sources at a time"}},
             32 * 1024, 70),
         launch_plane_product},
        {mixed, launch_sums},
        {vectors, launch_sums},
    };
}

}  // namespace ks::gpu::particles
