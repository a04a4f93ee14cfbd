#include <iterator>
#include <string>
#include <utility>

#include "core/basics/matmul/matmul.h"
#include "core/devices/ceilings.h"
#include "gpu/basics/matmul/matmul_launch.h"
#include "gpu/runtime/opencl_backend.h"

namespace ks::gpu::basics {
namespace {

/// Builds only if tensor cores multiply TF32 (NVIDIA, sm_80 and later).
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

using MatmulLaunch = Result (*)(const ks::basics::MatmulProblem&, LaunchContext&);

/// A step with one kernel. @param file in gpu/basics/matmul
ClVariant step(const char* id, const char* title, const char* description, const char* file, int rank,
               MatmulLaunch launch, std::vector<DefineSpec> defines = {}, Constraints constraints = {}) {
    return {{.id = id,
             .title = title,
             .description = description,
             .source_file = std::string("gpu/basics/matmul/") + file,
             .entry_points = {"multiply"},
             .defines = std::move(defines),
             .constraints = std::move(constraints),
             .rank = rank},
            launch};
}

/// A step as published, which is wrong where its description says so.
ClVariant published(const char* id, const char* title, const char* description, const char* file,
                    MatmulLaunch launch) {
    ClVariant row = step(id, title, description, file, 1, launch);
    row.info.by_name_only = true;
    return row;
}

std::vector<ClVariant> published_rows() {
    return {
        published("as_published.accumulate", "As published: sums in global memory",
                  "Wrong, so it runs only if you name it: step 1 never sets C to 0, so the second of two "
                  "runs on the same C, as here, adds to the product of the first.",
                  "published_accumulate.cl", accumulate_elements_twice),
        published("as_published.private.sum", "As published: sums in a private variable",
                  "Wrong, so it runs only if you name it: step 2 adds its sums to C, so the second of two "
                  "runs on the same C, as here, gives twice the product.",
                  "published_private_sum.cl", accumulate_elements_twice),
        published("as_published.row.private", "As published: the row of A in private memory",
                  "Wrong, so it runs only if you name it: step 4 has room for 1024 elements of a row, so "
                  "larger products are wrong.",
                  "published_row_private.cl", launch_published_rows),
        published("as_published.column.local", "As published: the column of B in local memory",
                  "Wrong, so it runs only if you name it: step 5 has room for 256 elements of a row, so "
                  "larger products are wrong.",
                  "published_column_local.cl", launch_published_rows),
    };
}

/// Steps 7 and 8, and matrix units.
std::vector<ClVariant> upper_rows() {
    const DefineSpec registers{
        "MAX_REGISTERS", "128", {"96", "128", "168", "255"}, "registers per work-item, on NVIDIA devices"};
    return {
        {{.id = "registers",
          .title = "Blocks in registers",
          .description = "Step 7: each work-item sums 4 x 4 or 8 x 8 elements of C, with loads of 4 floats.",
          .source_file = "gpu/basics/matmul/registers.cl",
          .entry_points = {"multiply"},
          .defines =
              {{"TILE", "64", {"32", "64", "128"}, "rows and columns of C per group"},
               {"ITEM", "4", {"4", "8"}, "rows and columns of C per work-item"},
               {"DEPTH", "16", {"8", "16", "32"}, "products per element for each tile in local memory"}},
          .constraints = {.local_bytes = 16 * (64 + 4 + 64) * sizeof(float), .work_group = 256},
          .rank = 110,
          .cpu_rank = 60,
          .rules = {"TILE / ITEM * (TILE / ITEM) <= work_group",
                    "DEPTH * (2 * TILE + 4) * 4 <= local_bytes"}},
         launch_registers,
         {{"NVIDIA", "", {{"ITEM", "8"}, {"DEPTH", "32"}}}, {"CPU", "", {{"ITEM", "8"}, {"DEPTH", "32"}}}}},
        {{.id = "registers.buffered",
          .title = "Blocks in registers, two buffers",
          .description = "Step 8 on GPUs: 8 x 8 elements of C per work-item; the next tiles are loaded while "
                         "the current ones are multiplied.",
          .source_file = "gpu/basics/matmul/registers_buffered.cl",
          .entry_points = {"multiply"},
          .defines = {{"TILE_M", "128", {"64", "128"}, "rows of C per group"},
                      {"TILE_N", "128", {"64", "128"}, "columns of C per group"},
                      {"DEPTH", "8", {"8", "16"}, "products per element for each tile in local memory"},
                      registers},
          .constraints = {.local_bytes = 2 * 8 * (128 + 4 + 128) * sizeof(float), .work_group = 256},
          .rank = 150,
          .cpu_rank = 55,
          .rules = {"TILE_M / 8 * (TILE_N / 8) <= work_group",
                    "2 * DEPTH * (TILE_M + 4 + TILE_N) * 4 <= local_bytes"}},
         launch_buffered,
         {{"NVIDIA", "", {{"DEPTH", "16"}, {"MAX_REGISTERS", "168"}}}}},
        {{.id = "panels.cpu",
          .title = "Panels and explicit vectors, for CPUs",
          .description =
              "Step 8 on CPUs: A and B are copied to panels, and a block of C stays in vector registers.",
          .source_file = "gpu/basics/matmul/panels_cpu.cl",
          .entry_points = {"pack_a", "pack_b", "multiply"},
          .defines = {{"LANES", "auto", {"auto", "4", "8", "16"}, "floats per vector"},
                      {"ROWS", "auto", {"auto", "4", "6", "8", "12", "14"}, "rows of C per block"},
                      {"VECTORS", "auto", {"auto", "1", "2", "3", "4"}, "vectors of C per row of a block"},
                      {"DEPTH", "256", {"128", "192", "256", "384", "512"}, "products per element at a time"},
                      {"PANELS_A", "32", {"1", "4", "8", "16", "32"}, "panels of A per work-item"},
                      {"PANELS_B", "8", {"1", "4", "8", "16"}, "panels of B per work-item"}},
          .rank = 10,
          .cpu_rank = 200},
         launch_panels,
         // many work-items with few registers each, if a device has thousands of them
         {{"GPU",
           "",
           {{"LANES", "4"}, {"ROWS", "4"}, {"VECTORS", "2"}, {"PANELS_A", "1"}, {"PANELS_B", "1"}}}}},
        {{.id = "tensor.tf32",
          .title = "Matrix units, TF32",
          .description = "NVIDIA's matrix units: elements of A and B are rounded to 10 mantissa bits and "
                         "summed in float.",
          .source_file = "gpu/basics/matmul/tensor_tf32.cl",
          .entry_points = {"multiply"},
          .defines = {{"DEPTH", "16", {"8", "16"}, "products per element for each tile in local memory"},
                      registers},
          .constraints = {.local_bytes = 2 * (128 * 20 + 16 * 136) * sizeof(float),
                          .extensions = {"cl_nv_compiler_options"},
                          .work_group = 256},
          .rank = 25,
          .ceiling = ceiling_ids::matrix_tf32,
          // the relative error of each factor of a product is at most 2^-11
          .tolerances = {{"c", 0x1p-10}}},
         launch_tensor,
         {},
         tf32_probe},
    };
}

}  // namespace

std::vector<ClVariant> matmul_rows() {
    const DefineSpec group{"WG", "64", {"1", "16", "32", "64", "128", "256"}, "work-items per group"};
    std::vector<ClVariant> rows{
        step("global.accumulate", "Sums in global memory",
             "Step 1: one element of C per work-item, which adds every product to C itself.",
             "global_accumulate.cl", 20, accumulate_elements),
        step("private.sum", "Sums in a private variable",
             "Step 2: as step 1, with one write to C at the end.", "private_sum.cl", 50, launch_elements),
        step("row.item", "One row of C per work-item",
             "Step 3: larger work-items, which multiply their row of A by each column of B.", "row_item.cl",
             30, launch_rows, {group}),
        step("row.private", "Row of A in private memory",
             "Step 4: as step 3, with a private copy of the row of A, in strips if it is long.",
             "row_private.cl", 40, launch_rows,
             {group, {"STRIP", "1024", {"64", "256", "1024"}, "elements of a row in private memory"}}),
        step("column.local", "Column of B in local memory",
             "Step 5: as step 4, with each column of B shared by the rows of a group.", "column_local.cl", 45,
             launch_rows,
             {group, {"STRIP", "256", {"64", "256", "1024"}, "elements of a row or column held on chip"}},
             {.local_bytes = 1024 * sizeof(float)}),
        step("blocks.16", "Blocks in local memory",
             "Step 6: each group computes a block of 16 x 16 elements of C from blocks of A and B.",
             "blocks_16.cl", 100, launch_blocks, {},
             {.local_bytes = 2 * 16 * 16 * sizeof(float), .work_group = 256}),
    };
    rows.front().info.baseline = true;
    for (std::vector<ClVariant> more : {upper_rows(), published_rows()})
        rows.insert(rows.end(), std::make_move_iterator(more.begin()), std::make_move_iterator(more.end()));
    return rows;
}

}  // namespace ks::gpu::basics
