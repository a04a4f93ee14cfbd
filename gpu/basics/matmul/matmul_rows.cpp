#include "gpu/basics/matmul/matmul_rows.h"

#include <iterator>
#include <utility>

#include "core/devices/ceilings.h"
#include "gpu/basics/matmul/matmul_launch.h"

namespace ks::gpu::basics {
namespace {

/// Builds where tensor cores multiply TF32 (NVIDIA, sm_80 and later).
constexpr const char* tf32_probe = R"(
kernel void probe(global float* c) {
    float w = c[0], x = c[1], y = c[2], z = c[3];
    uint a;
    asm("cvt.rna.tf32.f32 %0, %1;" : "=r"(a) : "f"(w));
    asm("mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 {%0, %1, %2, %3}, {%4, %4, %4, %4}, {%4, %4}, "
        "{%0, %1, %2, %3};"
        : "+f"(w), "+f"(x), "+f"(y), "+f"(z) : "r"(a));
    c[0] = w + x + y + z;
})";

/// A rung as published, which is wrong where its description says so.
ClVariant published(const char* id, const char* title, const char* description, const char* source,
                    std::function<Result(const Problem&, LaunchContext&)> launch) {
    return {{.analysis = "matmul",
             .id = id,
             .title = title,
             .description = description,
             .source_file = source,
             .source = {},
             .entry_points = {"multiply"},
             .defines = {},
             .constraints = {.extensions = {}},
             .rank = 1,
             .by_name_only = true},
            std::move(launch)};
}

std::vector<ClVariant> published_rows() {
    return {
        published("as_published.accumulate", "As published: sums in global memory",
                  "By name only: rung 1 never sets C to 0, so the second of two runs on one C, as here, adds "
                  "the product to that of the first.",
                  "gpu/basics/matmul/published_accumulate.cl", launch_elements_twice),
        published("as_published.private.sum", "As published: sums in a private variable",
                  "By name only: rung 2 adds its sums to C, so the second of two runs on one C, as here, is "
                  "twice the product.",
                  "gpu/basics/matmul/published_private_sum.cl", launch_elements_twice),
        published("as_published.row.private", "As published: the row of A in private memory",
                  "By name only: rung 4 has room for 1024 elements of a row, so larger products are wrong.",
                  "gpu/basics/matmul/published_row_private.cl", launch_published_rows),
        published("as_published.column.local", "As published: the column of B in local memory",
                  "By name only: rung 5 has room for 256 elements of a row, so larger products are wrong.",
                  "gpu/basics/matmul/published_column_local.cl", launch_published_rows),
    };
}

/// Rungs 7 and 8, and matrix units.
std::vector<ClVariant> upper_rows() {
    const DefineSpec registers{
        "MAX_REGISTERS", "128", {"96", "128", "168", "255"}, "registers of an item, on NVIDIA's"};
    return {
        {{.analysis = "matmul",
          .id = "registers",
          .title = "Blocks in registers",
          .description = "Rung 7: a work-item sums 4 x 4 or 8 x 8 elements of C, with loads of 4 floats.",
          .source_file = "gpu/basics/matmul/registers.cl",
          .source = {},
          .entry_points = {"multiply"},
          .defines =
              {{"TILE", "64", {"32", "64", "128"}, "rows and columns of C of a group"},
               {"ITEM", "4", {"4", "8"}, "rows and columns of C of a work-item"},
               {"DEPTH", "16", {"8", "16", "32"}, "products of an element for a tile in local memory"}},
          .constraints = {.local_bytes = 16 * (64 + 4 + 64) * sizeof(float),
                          .extensions = {},
                          .work_group = 256},
          .rank = 110,
          .cpu_rank = 60,
          .rules = {"TILE / ITEM * (TILE / ITEM) <= work_group",
                    "DEPTH * (2 * TILE + 4) * 4 <= local_bytes"}},
         launch_registers,
         {{"NVIDIA", "", {{"ITEM", "8"}, {"DEPTH", "32"}}}, {"CPU", "", {{"ITEM", "8"}, {"DEPTH", "32"}}}}},
        {{.analysis = "matmul",
          .id = "registers.buffered",
          .title = "Blocks in registers, two buffers",
          .description = "Rung 8 on GPUs: 8 x 8 elements of C a work-item; the next tiles are on their way "
                         "while the present ones are multiplied.",
          .source_file = "gpu/basics/matmul/registers_buffered.cl",
          .source = {},
          .entry_points = {"multiply"},
          .defines = {{"TILE_M", "128", {"64", "128"}, "rows of C of a group"},
                      {"TILE_N", "128", {"64", "128"}, "columns of C of a group"},
                      {"DEPTH", "8", {"8", "16"}, "products of an element for a tile in local memory"},
                      registers},
          .constraints = {.local_bytes = 2 * 8 * (128 + 4 + 128) * sizeof(float),
                          .extensions = {},
                          .work_group = 256},
          .rank = 150,
          .cpu_rank = 55,
          .rules = {"TILE_M / 8 * (TILE_N / 8) <= work_group",
                    "2 * DEPTH * (TILE_M + 4 + TILE_N) * 4 <= local_bytes"}},
         launch_buffered,
         {{"NVIDIA", "", {{"DEPTH", "16"}, {"MAX_REGISTERS", "168"}}}}},
        {{.analysis = "matmul",
          .id = "panels.cpu",
          .title = "Panels and explicit vectors, for processors",
          .description = "Rung 8 on processors: A and B copied to panels, a block of C in vector registers.",
          .source_file = "gpu/basics/matmul/panels_cpu.cl",
          .source = {},
          .entry_points = {"pack_a", "pack_b", "multiply"},
          .defines =
              {{"LANES", "auto", {"auto", "4", "8", "16"}, "floats of a vector"},
               {"ROWS", "auto", {"auto", "4", "6", "8", "12", "14"}, "rows of C of a block"},
               {"VECTORS", "auto", {"auto", "1", "2", "3", "4"}, "vectors of C of a row of a block"},
               {"DEPTH", "256", {"128", "192", "256", "384", "512"}, "products of an element at a time"},
               {"PANELS_A", "32", {"1", "4", "8", "16", "32"}, "panels of A of a work-item"},
               {"PANELS_B", "8", {"1", "4", "8", "16"}, "panels of B of a work-item"}},
          .constraints = {.extensions = {}},
          .rank = 10,
          .cpu_rank = 200},
         launch_panels,
         // many work-items with few registers each, where a device has thousands of them
         {{"GPU",
           "",
           {{"LANES", "4"}, {"ROWS", "4"}, {"VECTORS", "2"}, {"PANELS_A", "1"}, {"PANELS_B", "1"}}}}},
        {{.analysis = "matmul",
          .id = "tensor.tf32",
          .title = "Matrix units, TF32",
          .description = "NVIDIA's matrix units: elements of A and B rounded to 10 bits behind the point, "
                         "sums in float.",
          .source_file = "gpu/basics/matmul/tensor_tf32.cl",
          .source = {},
          .entry_points = {"multiply"},
          .defines = {{"DEPTH", "16", {"8", "16"}, "products of an element for a tile in local memory"},
                      registers},
          .constraints = {.local_bytes = 2 * (128 * 20 + 16 * 136) * sizeof(float),
                          .extensions = {"cl_nv_compiler_options"},
                          .work_group = 256},
          .rank = 25,
          .ceiling = ceiling_ids::matrix_tf32,
          // both elements of a product are off by 2^-11 of themselves at most
          .tolerances = {{"c", 0x1p-10}}},
         launch_tensor,
         {},
         tf32_probe},
    };
}

}  // namespace

std::vector<ClVariant> matmul_rows() {
    const DefineSpec group{"WG", "64", {"1", "16", "32", "64", "128", "256"}, "work-items of a group"};
    std::vector<ClVariant> rows{
        {{.analysis = "matmul",
          .id = "global.accumulate",
          .title = "Sums in global memory",
          .description = "Rung 1: an element of C a work-item, which adds every product to C itself.",
          .source_file = "gpu/basics/matmul/global_accumulate.cl",
          .source = {},
          .entry_points = {"multiply"},
          .defines = {},
          .constraints = {.extensions = {}},
          .baseline = true,
          .rank = 20},
         launch_elements},
        {{.analysis = "matmul",
          .id = "private.sum",
          .title = "Sums in a private variable",
          .description = "Rung 2: as rung 1, with one write to C at the end.",
          .source_file = "gpu/basics/matmul/private_sum.cl",
          .source = {},
          .entry_points = {"multiply"},
          .defines = {},
          .constraints = {.extensions = {}},
          .rank = 50},
         launch_elements},
        {{.analysis = "matmul",
          .id = "row.item",
          .title = "A row of C a work-item",
          .description = "Rung 3: larger work-items, which take their row of A by each column of B.",
          .source_file = "gpu/basics/matmul/row_item.cl",
          .source = {},
          .entry_points = {"multiply"},
          .defines = {group},
          .constraints = {.extensions = {}},
          .rank = 30},
         launch_rows},
        {{.analysis = "matmul",
          .id = "row.private",
          .title = "The row of A in private memory",
          .description =
              "Rung 4: as rung 3, with a private copy of the row of A, in strips where it is long.",
          .source_file = "gpu/basics/matmul/row_private.cl",
          .source = {},
          .entry_points = {"multiply"},
          .defines = {group, {"STRIP", "1024", {"64", "256", "1024"}, "elements of a row in private memory"}},
          .constraints = {.extensions = {}},
          .rank = 40},
         launch_rows},
        {{.analysis = "matmul",
          .id = "column.local",
          .title = "The column of B in local memory",
          .description = "Rung 5: as rung 4, and the rows of a group share each column of B.",
          .source_file = "gpu/basics/matmul/column_local.cl",
          .source = {},
          .entry_points = {"multiply"},
          .defines = {group,
                      {"STRIP", "256", {"64", "256", "1024"}, "elements of a row or column on the chip"}},
          .constraints = {.local_bytes = 1024 * sizeof(float), .extensions = {}},
          .rank = 45},
         launch_rows},
        {{.analysis = "matmul",
          .id = "blocks.16",
          .title = "Blocks in local memory",
          .description = "Rung 6: a group takes a block of 16 x 16 elements of C by blocks of A and B.",
          .source_file = "gpu/basics/matmul/blocks_16.cl",
          .source = {},
          .entry_points = {"multiply"},
          .defines = {},
          .constraints = {.local_bytes = 2 * 16 * 16 * sizeof(float), .extensions = {}, .work_group = 256},
          .rank = 100},
         launch_blocks},
    };
    for (std::vector<ClVariant> more : {upper_rows(), published_rows()})
        rows.insert(rows.end(), std::make_move_iterator(more.begin()), std::make_move_iterator(more.end()));
    return rows;
}

}  // namespace ks::gpu::basics
