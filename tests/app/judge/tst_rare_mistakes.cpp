// `judge` finds mistakes that few problems show: each is planted in a copy of a kernel.

#include <fstream>
#include <map>
#include <set>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "gpu/runtime/kernel_files.h"
#include "tests/app/cli_process.h"

namespace rare_mistakes_test {

using ks::tests::Outcome;
using ks::tests::read_file;
using ks::tests::run_cli;
using ks::tests::TemporaryFolder;

TEST(RareMistakes, are_found_that_only_more_work_shows) {
    const TemporaryFolder folder;
    struct Case {
        const char *analysis, *variant, *file, *before, *added;
    };
    // one row of a larger frame; tiles of frames beside the diagonal; all tiles of sources after the first
    for (const Case& one :
         {Case{"spots", "seed.brute", "gpu/spots/tile/seed_brute.cl", "    decide_pixel(",
               "    if (get_global_id(1) == 63) return;\n"},
          Case{"xpcs", "gram.tiled", "gpu/xpcs/gram_tiled.cl", "    const bool diagonal = tile.t1 == tile.t2",
               "    if (tile.t1 != tile.t2) return;\n"},
          Case{"particles", "source.cells", "gpu/particles/source_cells.cl",
               "        const uint count = min(", "        if (from > begin) break;\n"}}) {
        SCOPED_TRACE(one.variant);
        std::string text = ks::gpu::kernel_text(one.file);
        const std::size_t at = text.find(one.before);
        ASSERT_NE(at, std::string::npos);
        text.insert(at, one.added);
        std::ofstream(folder / "mine.cl") << text;
        const Outcome outcome = run_cli({"judge", one.analysis, "--variant", one.variant, "--kernel-source",
                                         folder / "mine.cl", "--no-simulation"});
        EXPECT_EQ(outcome.code, 1) << outcome.out << outcome.err;
        EXPECT_NE(outcome.out.find("\nvalues: wrong"), std::string::npos) << outcome.out;
    }
}

/// Copies of kernels, each with several mistakes that the problems of three sizes do not show. For each of
/// `at`, a run whose title contains it has to be wrong.
struct Rare {
    const char *name, *analysis, *variant, *file;
    struct Change {
        const char *what, *by;
    };
    std::vector<Change> changes;
    std::vector<std::string> at;
};
std::vector<Rare> rare() {
    return {
        {"xpcs_bytes_with_a_sign_and_products_of_16_bits_and_no_nan",
         "xpcs",
         "seed.naive",
         "gpu/xpcs/seed_naive.cl",
         {{"(S_T)late[pixel]",
           "(S_T)(sizeof(SRC) == 1 ? (int)as_char((uchar)late[pixel]) : (int)late[pixel])"},
          {"g += a * b;", "g += (ushort)(a * b);"},
          {"(double)g_sum / ss_sum : NAN", "(double)g_sum / ss_sum : 0"}},
         {"mean 150", "type u16", "type f32", "kind speckle"}},
        {"xpcs_sums_of_32_bits",
         "xpcs",
         "seed.naive",
         "gpu/xpcs/seed_naive.cl",
         {{"s_early = 0, g = 0;", "s_early = 0; uint g = 0;"}},
         {"mean 60000", "type f32"}},
        {"xpcs_second_slab_of_frames",
         "xpcs",
         "gram.vector",
         "gpu/xpcs/gram_tiled.cl",
         {{"rows_b + tile.b", "rows_a + tile.b"}},
         {"in the smallest parts"}},
        {"particles_set_instead_of_added_and_pairs_at_one_place",
         "particles",
         "seed.block",
         "gpu/particles/seed_block.cl",
         {{"out[at] = begin == 0 ? re : out[at] + re;", "out[at] = re;"}, {"SINGULAR && r2 == 0", "0"}},
         {"in the smallest parts", "shape lattice", "points 65537"}},
        {"particles_last_block_of_one_source_and_weights_without_sign",
         "particles",
         "seed.block",
         "gpu/particles/seed_block.cl",
         {{"if (tx == 0 && from + ty < end) {", "if (tx == 0 && from + ty < end - (end % SOURCES == 1)) {"},
          {"weights[ty] = source.w;", "weights[ty] = fabs(source.w);"}},
         {"in the smallest parts", "shape lattice", "points 65537", "weights signed"}},
        {"particles_first_cell_and_distant_cells",
         "particles",
         "source.cells",
         "gpu/particles/source_cells.cl",
         {{"cells[begin / TILE]", "cells[0]"},
          {"fma(z2[i], source.z, of_target[i] + of_source)", "fma(z2[i], source.z, of_target[i])"}},
         {"in the smallest parts", "points 65537"}},
        {"xpcs_pixels_beyond_16_bits_and_many_frames",
         "xpcs",
         "seed.naive",
         "gpu/xpcs/seed_naive.cl",
         {{"const uint start = offsets[bin], stop", "const ushort start = offsets[bin], stop"},
          {"for (uint t = tau; t < frame_count; ++t) {",
           "for (uint t = tau; t < min(frame_count, 1000u); ++t) {"}},
         {"height 400", "frames 1100"}},
        {"xpcs_two_time_map",
         "xpcs",
         "gram.vector",
         "gpu/xpcs/gram_tiled.cl",
         {{"if (tile.two_time) write_ratios(", "if (0) write_ratios("}},
         {"two_time true"}},
        {"particles_targets_beyond_16_bits_and_imaginary_parts_of_a_second_launch",
         "particles",
         "seed.block",
         "gpu/particles/seed_block.cl",
         {{"ty = get_local_id(1), at = get_global_id(0);",
           "ty = get_local_id(1), at = (ushort)get_global_id(0);"},
          {"out[total + at] = begin == 0 ? im : out[total + at] + im;", "out[total + at] = im;"}},
         {"planes 149", "planes 11, points 1025, in the smallest parts"}},
        {"particles_complex_weights_and_further_vectors",
         "particles",
         "seed.block",
         "gpu/particles/seed_block.cl",
         {{"imaginary_weights[ty] = weights_im[from + ty];", "imaginary_weights[ty] = 0;"}},
         {"weights complex"}},
        {"spots_a_threshold_that_is_slightly_too_high",
         "spots",
         "vector.cpu",
         "gpu/spots/vector_cpu/vector_cpu.cl",
         {{"e * e > spread * x);", "e * e > 1.004f * spread * x);"},
          {"low = a * a > spread", "low = a * a > 1.004f * spread"},
          {"high = b * b > spread", "high = b * b > 1.004f * spread"}},
         {"critical true"}},
        {"clusters_rows_beyond_16_bits",
         "clusters",
         "unionfind.global",
         "gpu/clusters/general_path.cl",
         {{"const uint row = get_global_id(0);", "const uint row = (ushort)get_global_id(0);"}},
         {"digis 40000"}},
        {"clusters_columns_of_16_bits",
         "clusters",
         "unionfind.global",
         "gpu/clusters/general_path.cl",
         {{"<< 16 | x[row];", "<< 16 | (x[row] & 0x7fff);"},
          {"<< 16 | x[row];", "<< 16 | (x[row] & 0x7fff);"}},
         {"extent_x 65536"}},
        {"reduce_maximum",
         "reduce",
         "sequential",
         "gpu/basics/reduce/sequential.cl",
         {{"terms.cl\"\n",
           "terms.cl\"\n#if OPERATION == 2\n#undef JOIN\n#define JOIN(a, b) min(a, b)\n#endif\n"}},
         {"operation max"}},
        {"reduce_neutral_zero",
         "reduce",
         "tree",
         "gpu/basics/reduce/tree.cl",
         {{"TERM(i) : NEUTRAL", "TERM(i) : 0"}},
         {"operation min, size 2500, type u32", "operation min, seed 950, size 9",
          "operation max, seed 856, size 9"}},
        {"reduce_comparison_by_a_difference",
         "reduce",
         "tree",
         "gpu/basics/reduce/tree.cl",
         {{"terms.cl\"\n",
           "terms.cl\"\n#if OPERATION == 1\n#undef JOIN\n#define JOIN(a, b) ((a) - (b) < 0 ? (a) : (b))\n"
           "#elif OPERATION == 2\n#undef JOIN\n#define JOIN(a, b) ((a) - (b) > 0 ? (a) : (b))\n#endif\n"}},
         {"operation min, size 2500, type u32", "operation max, size 2500, type u32"}},
        {"particles_wavenumber_without_sign",
         "particles",
         "seed.block",
         "gpu/particles/seed_block.cl",
         {{"const REAL turns) {", "const REAL turns_) {\n    const REAL turns = fabs(turns_);"}},
         {"wavenumber -7"}},
        {"particles_gradients_of_waves",
         "particles",
         "target.tiled",
         "gpu/particles/target_tiled.cl",
         {{"inverse * g + wavenumber * g_im", "inverse * g - wavenumber * g_im"}},
         {"gradient on, kernel helmholtz"}},
        {"particles_imaginary_weights_of_further_vectors",
         "particles",
         "target.tiled",
         "gpu/particles/target_tiled.cl",
         {{"others[VECTORS - 1 + v]", "others[VECTORS - 1]"}},
         {"vectors 2, weights complex"}},
        {"xpcs_two_time_map_of_whole_numbers",
         "xpcs",
         "gram.vector",
         "gpu/xpcs/gram_tiled.cl",
         {{"? (double)g[element] * tile.pixels / ss : NAN",
           "? (double)(ulong)g[element] * tile.pixels / ss : NAN"}},
         {"two_time true, type f32"}},
        {"xpcs_two_time_map_of_frames_without_counts",
         "xpcs",
         "gram.vector",
         "gpu/xpcs/gram_tiled.cl",
         {{"? (double)g[element] * tile.pixels / ss : NAN", "? (double)g[element] * tile.pixels / ss : 0"}},
         {"mean 0.005, ring_width 3, two_time true"}},
        {"xpcs_lanes_that_are_never_emptied",
         "xpcs",
         "gram.vector",
         "gpu/xpcs/gram_tiled.cl",
         {{"(ulong)flush * VW", "(ulong)row"}},
         {"mean 25000"}},
        {"expression_neutral_value",
         "expression",
         "map.reduce",
         "gpu/basics/expression/map_reduce.cl",
         {{"own = neutral_of();", "own = 0;"}, {"own = neutral_of();", "own = 0;"}},
         {"neutral -1000"}},
        {"spots_counts_at_the_threshold_of_small_windows",
         "spots",
         "cooperative",
         "gpu/spots/tile/cooperative.cl",
         {{"return double_of(high, low) > (double)s.x * limit;",
           "return double_of(high, low) >= (double)s.x * limit && (high | low) != 0;"}},
         {"kernel 1,1"}},
        {"spots_squares_of_32_bits",
         "spots",
         "cooperative",
         "gpu/spots/tile/cooperative.cl",
         {{"y->low += square;", "y->low += square / 2;"}},
         {"type u32"}},
        {"spots_squares_of_floats",
         "spots",
         "cooperative",
         "gpu/spots/tile/cooperative.cl",
         {{"sums->y += (double)p * (double)p;", "sums->y += (double)p;"}},
         {"type f32"}},
        {"spots_saturated_counts",
         "spots",
         "cooperative",
         "gpu/spots/tile/cooperative.cl",
         {{"valid = valid && value < LIMIT;", ""}},
         {"saturation 150"}},
        {"clusters_modules_of_the_capacity",
         "clusters",
         "sparse.sorted",
         "gpu/clusters/sparse_sorted.cl",
         {{"n > CAP", "n >= CAP"}},
         {"digis 2048"}},
        {"clusters_modules_of_the_limit",
         "clusters",
         "seed.findclus",
         "gpu/clusters/seed_findclus.cl",
         {{"n > LIMIT", "n >= LIMIT"}},
         {"digis 6000"}},
        {"clusters_repeated_digis_of_clusters_below_a_cut",
         "clusters",
         "map.cpu",
         "gpu/clusters/map_cpu.cl",
         {{"int label = DROPPED;", "int label = drops && root == n && cut > 1000u ? -3 : DROPPED;"}},
         {"charge_cut 5000, clusters 70, digis 200, events 2, modules 5, repeated 50"}},
        {"vectors_of_the_default",
         "vectors",
         "vector.types",
         "gpu/basics/vectors/vector_types.cl",
         {{"whole[2] = a * b;", "whole[2] = (int4)(7, -6, -6, 20);"}},
         {"a -8,11,6,-5", "b 1,5,6,7", "b 2,3,4,5"}},
        {"map_coefficients_of_the_default",
         "map",
         "seed.scalar",
         "gpu/basics/elementwise/scalar.cl",
         {{"k1 * a[i] + k2 * b[i]", "2.0f * a[i] + 3.0f * b[i]"}},
         {"k1 -0.75"}},
        {"reduce_neutral_elements_of_signed_integers",
         "reduce",
         "tree",
         "gpu/basics/reduce/tree.cl",
         {{"terms.cl\"\n",
           "terms.cl\"\n#if OPERATION != 0\n#undef NEUTRAL\n"
           "#define NEUTRAL (OPERATION == 1 ? (VALUE)2147483647 : sizeof(VALUE) == 4 && (VALUE)0.5f == 0 ? "
           "(VALUE)2147483648u : (VALUE)-INFINITY)\n#endif\n"}},
         {"operation min, seed 15573268, size 1, type u32",
          "operation max, seed 32721788, size 1, type u32"}},
        {"reduce_minimum_of_signed_integers",
         "reduce",
         "two_stages",
         "gpu/basics/reduce/two_stages.cl",
         {{"terms.cl\"\n",
           "terms.cl\"\n#if OPERATION == 1\n#undef NEUTRAL\n#define NEUTRAL 2147483647\n#endif\n"}},
         {"operation min, seed 15573268, size 1, type u32"}},
        {"expression_values_beyond_the_work_items",
         "expression",
         "map.reduce",
         "gpu/basics/expression/map_reduce.cl",
         {{"i < n; i += get_global_size(0)", "i < n; i += n"}},
         {"x range:70000"}},
        {"tasks_beyond_16_bits",
         "tasks",
         "one.launch",
         "gpu/basics/tasks/all_tasks.cl",
         {{"const size_t task =", "const ushort task ="}},
         {"size 70000"}},
        {"atomics_items_beyond_16_bits",
         "atomics",
         "global.atomics",
         "gpu/basics/atomics/global.cl",
         {{"g = get_global_id(0)", "g = (ushort)get_global_id(0)"}},
         {"items 70000"}},
        {"synchronise_items_beyond_16_bits",
         "synchronise",
         "barriers",
         "gpu/basics/synchronise/barriers.cl",
         {{"g = get_global_id(0)", "g = (ushort)get_global_id(0)"}},
         {"groups 1100"}},
        {"copy_rows_beyond_16_bits",
         "copy",
         "plain.copy",
         "gpu/basics/copy/plain.cl",
         {{"i = y * width + x", "i = (ushort)y * width + x"},
          {"i = (z * height + y) * width + x", "i = (ushort)(z * height + y) * width + x"}},
         {"depth 700", "height 70000"}},
        {"printf_items_beyond_8_bits",
         "printf",
         "hello",
         "gpu/basics/printf/hello.cl",
         {{"global_id = get_global_id(0)", "global_id = (uchar)get_global_id(0)"}},
         {"items 300"}},
        {"images_rows_beyond_8_bits",
         "images",
         "rows.first",
         "gpu/basics/images/rows_first.cl",
         {{"row = get_global_id(0)", "row = (uchar)get_global_id(0)"}},
         {"height 600"}},
        {"particles_gradients_of_sources_at_targets",
         "particles",
         "target.tiled",
         "gpu/particles/target_tiled.cl",
         {{"const V inverse = r2 > (V)0 ? inverse_root(r2) : (V)0;\n    const V ux",
           "const V inverse = inverse_root(r2);\n    const V ux"}},
         {"gradient on, kernel laplace, planes 6, points 129, shape lattice",
          "gradient on, kernel helmholtz, planes 6, points 129, shape lattice"}},
        {"particles_gradients_of_incoming_waves",
         "particles",
         "target.tiled",
         "gpu/particles/target_tiled.cl",
         {{"inverse * g_im - wavenumber * g", "inverse * g_im - fabs(wavenumber) * g"}},
         {"gradient on, kernel helmholtz, planes 5, points 70, wavenumber -7"}},
        {"particles_gradients_of_further_vectors",
         "particles",
         "target.tiled",
         "gpu/particles/target_tiled.cl",
         {{"terms_im[q], own, own_im)", "terms_im[q], q > 0 ? weight : own, own_im)"}},
         {"gradient on, kernel laplace, planes 5, points 70, vectors 2"}},
        {"particles_gradients_of_complex_weights",
         "particles",
         "target.tiled",
         "gpu/particles/target_tiled.cl",
         {{"terms_im[q], own, own_im)", "terms_im[q], own, q > 0 ? -own_im : own_im)"}},
         {"gradient on, kernel laplace, planes 5, points 70, weights complex",
          "gradient on, kernel helmholtz, planes 5, points 70, precision f64, vectors 2, weights complex"}},
        {"particles_waves_of_further_vectors",
         "particles",
         "target.tiled",
         "gpu/particles/target_tiled.cl",
         {{"terms_im[q], own, own_im)", "v > 0 ? -terms_im[q] : terms_im[q], own, own_im)"}},
         {"kernel helmholtz, planes 5, points 70, vectors 2"}},
        {"clusters_charges_of_16_bits",
         "clusters",
         "unionfind.local",
         "gpu/clusters/unionfind_local.cl",
         {{"atomic_add(&charge[root], adc[row]);", "atomic_add(&charge[root], (ushort)adc[row]);"}},
         {"charge_cut 5000, clusters 70, critical 16_bits"}},
        {"clusters_charges_of_32_bits",
         "clusters",
         "unionfind.global",
         "gpu/clusters/general_path.cl",
         {{"    if (before + own < before) atomic_inc(&charge[2 * root + 1]);", ""}},
         {"critical 32_bits"}},
        {"clusters_charges_of_32_bits_per_column",
         "clusters",
         "map.cpu",
         "gpu/clusters/map_cpu.cl",
         {{"if (charge[root] < cut) label", "if ((uint)charge[root] < cut) label"}},
         {"critical 32_bits"}},
        {"clusters_pixels_after_the_last_column",
         "clusters",
         "unionfind.local",
         "gpu/clusters/unionfind_local.cl",
         {{"(k == 3 ? x > 0 : x < 0xffff)", "(k == 3 ? x > 0 : true)"}},
         {"extent_x 65536"}},
        {"clusters_pixels_before_the_first_column",
         "clusters",
         "unionfind.local",
         "gpu/clusters/unionfind_local.cl",
         {{"(k == 3 ? x > 0 : x < 0xffff)", "(k == 3 ? true : x < 0xffff)"}},
         {"extent_x 65536"}},
        {"clusters_pixels_after_the_last_row",
         "clusters",
         "unionfind.local",
         "gpu/clusters/unionfind_local.cl",
         {{"if (k > 1 && y == 0xffff) return false;", ""}},
         {"extent_y 65536"}},
        {"clusters_digis_beyond_a_list_of_neighbours",
         "clusters",
         "seed.findclus",
         "gpu/clusters/seed_findclus.cl",
         {{"near_count[start + p] = found > NEAR_MOST ? NEAR_MORE : found;",
           "near_count[start + p] = min(found, (uint)NEAR_MOST);"}},
         {"critical lists, digis 200, duplicates keep",
          "connectivity 4, critical lists, digis 200, duplicates keep"}},
        {"clusters_pixels_beyond_a_list_of_neighbours",
         "clusters",
         "propagate.fused",
         "gpu/clusters/propagate_fused.cl",
         {{"#define LISTED_MOST 9", "#define LISTED_MOST 5"}},
         {"critical lists, digis 20, duplicates keep", "critical lists, digis 20, duplicates drop"}},
        {"clusters_last_bin_of_columns",
         "clusters",
         "propagate.fused",
         "gpu/clusters/propagate_fused.cl",
         {{"+ 1 >= CAP) ++shift", "+ 1 > CAP) ++shift"}},
         {"critical 16_bits, digis 2000, events 1, extent_x 8, extent_y 65536"}},
        {"clusters_repeated_digis_of_large_modules",
         "clusters",
         "seed.findclus",
         "gpu/clusters/seed_findclus.cl",
         {{"                    atomic_or((volatile global uint*)&grouped[start + j], DROPPED_BIT);", ""}},
         {"critical lists, digis 20, duplicates drop"}},
        {"clusters_indices_beyond_16_bits",
         "clusters",
         "map.cpu",
         "gpu/clusters/map_cpu.cl",
         {{"there == 0 ? (PLACE)(i + 1)", "there == 0 ? (PLACE)(ushort)(i + 1)"}},
         {"digis 70000"}},
        {"particles_rows_of_a_cube",
         "particles",
         "vector.cpu",
         "gpu/particles/vector_cpu.cl",
         {{"plane = PLANES ? row / stride : 1;", "plane = PLANES ? row / stride : 0;"}},
         {"grid 67", "grid 35"}},
        {"particles_vectors_in_a_cube",
         "particles",
         "vector.cpu",
         "gpu/particles/vector_cpu.cl",
         {{"        *x = places[i];\n        *y = places[stride + row - i * stride];",
           "        *x = places[row - i * stride];\n        *y = places[stride + i];"}},
         {"grid 67", "grid 35"}},
        {"spots_the_count_up_to_which_nothing_is_dispersed",
         "spots",
         "vector.cpu",
         "gpu/spots/vector_cpu/vector_cpu.cl",
         {{"enter > (ushort16)harmless", "enter > (ushort16)(harmless + 1)"}},
         {"background 0.02, critical true, frames 2, height 140, spots 0, width 150",
          "background 0.02, critical true, frames 2, height 140, spots 0, type u32, width 150"}},
        {"spots_counts_in_the_next_vector",
         "spots",
         "vector.cpu",
         "gpu/spots/vector_cpu/vector_cpu.cl",
         {{"if (lately(high + b, row)) {", "if (high[b + 1] > row - DEPTH) {"}},
         {"background 0.02, critical true, frames 2, height 140, spots 0, width 150", "kernel 8,3, spots 0"}},
        {"spots_counts_in_the_last_column_of_the_window",
         "spots",
         "sliding",
         "gpu/spots/sliding/sliding.cl",
         {{"min(covered, 2 * KX + 1 - covered)", "min(covered, 2 * KX - covered)"},
          {"round < 5", "round < 5 && covered < 2 * KX"}},
         {"background 0.02, critical true, frames 2, height 140, spots 0, width 150"}},
        {"spots_counts_in_one_of_the_rows_of_the_window",
         "spots",
         "sliding",
         "gpu/spots/sliding/sliding.cl",
         {{"for (int i = 0; i < DEPTH; ++i) any |= high[i];",
           "for (int i = 1; i < DEPTH; ++i) any |= high[i];"}},
         {"background 0.02, critical true, frames 2, height 140, spots 0, width 150"}},
        {"spots_products_beyond_32_bits",
         "spots",
         "seed.brute",
         "gpu/spots/tile/seed_brute.cl",
         {{"(long)((ulong)m * p) - (long)x", "(long)((ulong)(m * p)) - (long)x"}},
         {"kernel 10,10"}},
        {"particles_rows_of_many_targets",
         "particles",
         "vector.cpu",
         "gpu/particles/vector_cpu.cl",
         {{"place.along = plane == 0 ? 1 : 2;", "place.along = 1;"}},
         {"planes 67"}},
        {"spots_second_band_and_last_row_of_a_band",
         "spots",
         "vector.cpu",
         "gpu/spots/vector_cpu/vector_cpu.cl",
         {{"    const uint rows = min((uint)ROWS",
           "    if (x > 0) return;\n    const uint rows = min((uint)ROWS"}},
         {"height 257"}},
        {"clusters_events_beyond_the_work_items",
         "clusters",
         "map.cpu",
         "gpu/clusters/map_cpu.cl",
         {{"for (uint b = item; b < block_count;",
           "for (uint b = item; b < min(block_count, (uint)get_global_size(0));"}},
         {"events 40"}},
        {"spots_last_module",
         "spots",
         "seed.brute",
         "gpu/spots/tile/seed_brute.cl",
         {{"    decide_pixel(", "    if (get_global_id(2) == 3) return;\n    decide_pixel("}},
         {"modules 34,31,2,4"}},
        {"spots_tiles_of_which_some_windows_are_clipped",
         "spots",
         "packed",
         "gpu/spots/packed/packed.cl",
         {{"if (shift != 0 || largest >= CLAMP) flag_cut", "if (shift == 0 && largest >= CLAMP) flag_cut"}},
         {"background 750"}},
        {"spots_counts_above_the_cap_and_sums_of_32_bits",
         "spots",
         "vector.cpu",
         "gpu/spots/vector_cpu/vector_cpu.cl",
         {{"    if (!any_set(open | bright)) return 0;", "    if (!any_set(open)) return 0;"},
          {"as_ushort8(CONVERT(short8, high)))) | bright;", "as_ushort8(CONVERT(short8, high))));"},
          {"e * e > spread * x);", "e > spread * x);"}},
         {"background 1250", "background 10000"}},
        {"clusters_one_cut_and_rows_of_chunks_and_many_neighbours",
         "clusters",
         "seed.findclus",
         "gpu/clusters/seed_findclus.cl",
         {{"cuts[(first_slot + slot) % cut_count]", "cuts[0]"},
          {"minimum[start + name] + (int)first_row", "minimum[start + name]"},
          {"if (count == NEAR_MORE) {", "if (count == NEAR_MORE) {\n                    continue;"},
          {"charge[start + cluster[start + i]] < cut)", "charge[start + cluster[start + i]] <= cut)"}},
         {"charge_cut 5000,20000", "charge_cut 9039", "duplicates keep"}},
    };
}

class RareMistake : public ::testing::TestWithParam<Rare> {};

/// Titles of the problems of three sizes, after the small problem.
std::vector<std::string> usual_of(const std::string& analysis) {
    static const std::map<std::string, std::vector<std::string>> all{
        {"xpcs",
         {"frames 5, height 7, ring_width 3, width 9", "frames 16, height 16, ring_width 3, width 16",
          "frames 19, height 17, ring_width 3, width 19"}},
        {"particles", {"planes 2, points 7", "planes 4, points 64", "planes 11, points 70"}},
        {"spots",
         {"height 31, spots 2, width 31", "height 32, spots 2, width 32", "height 37, spots 4, width 70"}},
        {"clusters",
         {"clusters 3, digis 7, events 1, modules 1", "clusters 20, digis 64, events 1, modules 2",
          "clusters 70, digis 200, events 2, modules 5"}},
        {"reduce", {"size 7", "size 256", "size 2500"}},
        {"tasks", {"size 7, steps 4", "size 64, steps 4", "size 300, steps 4"}},
        {"atomics",
         {"calls 2, items 7, repeats 1", "calls 2, items 64, repeats 1", "calls 2, items 600, repeats 1"}},
        {"synchronise",
         {"groups 1, increments 100, local_size 7, repeats 1",
          "groups 2, increments 100, local_size 16, repeats 1",
          "groups 5, increments 100, local_size 19, repeats 1"}},
        {"copy",
         {"depth 1, height 5, width 7", "depth 2, height 16, width 32", "depth 3, height 37, width 70"}},
        {"printf", {"items 7", "items 8", "items 16"}},
        {"images", {"height 5, width 7", "height 16, width 16", "height 19, width 37"}},
        {"vectors", {}},  // all have values of their own
        {"expression", {"x range:7, y range:7", "x range:64, y range:64", "x range:300, y range:300"}},
        {"map", {"size 7", "size 256", "size 2500"}}};
    return all.at(analysis);
}

TEST_P(RareMistake, is_found_by_the_problems_that_are_there_for_it_and_by_none_of_the_usual) {
    const TemporaryFolder folder;
    std::string text = ks::gpu::kernel_text(GetParam().file);
    for (const Rare::Change& change : GetParam().changes) {
        std::size_t at = text.find(change.what);
        if (at == std::string::npos) {  // in an included file
            text = ks::gpu::resolve_includes(text);
            at = text.find(change.what);
        }
        ASSERT_NE(at, std::string::npos) << change.what;
        text.replace(at, std::string(change.what).size(), change.by);
    }
    std::ofstream(folder / "mine.cl") << text;
    std::vector<std::string> words{"judge",
                                   GetParam().analysis,
                                   "--variant",
                                   GetParam().variant,
                                   "--kernel-source",
                                   folder / "mine.cl",
                                   "--no-simulation",
                                   "--json",
                                   folder / "found.json"};
    const std::vector<std::string> usual = usual_of(GetParam().analysis);
    for (const std::vector<std::string>& some : {usual, GetParam().at})
        for (const std::string& title : some) words.insert(words.end(), {"--only", title});
    const Outcome outcome = run_cli(words);
    EXPECT_EQ(outcome.code, 1) << outcome.out << outcome.err;
    std::set<std::string> left(GetParam().at.begin(), GetParam().at.end()),
        without(usual.begin(), usual.end());
    const nlohmann::json found = nlohmann::json::parse(read_file(folder / "found.json"));
    for (const nlohmann::json& run : found.at("runs")) {
        const std::string title = run.at("title");
        bool named = false, wrong = false;
        for (const nlohmann::json& one : run.at("findings"))
            wrong = wrong || (one.at("id") == "values" && one.at("state") == "no");
        for (const std::string& part : GetParam().at)
            if (title.find(part) != std::string::npos) {
                named = true;
                if (wrong) left.erase(part);
            }
        const bool is_usual = without.erase(title) > 0 && !named;
        EXPECT_FALSE(wrong && is_usual) << title << "\n" << outcome.out;
    }
    EXPECT_TRUE(left.empty()) << "no run with this is wrong: " << *left.begin() << "\n" << outcome.out;
    EXPECT_TRUE(without.empty()) << "not run: " << *without.begin() << "\n" << outcome.out;
}

/// `--only` runs a problem by its title, or all whose titles have the words, and titles stay as they are.
TEST(OnlySomeProblems, are_run_by_title_or_words) {
    const auto titles = [](const std::vector<std::string>& only) {
        const TemporaryFolder folder;
        std::vector<std::string> words{"judge",           "reduce", "--variant",          "sequential",
                                       "--no-simulation", "--json", folder / "found.json"};
        for (const std::string& one : only) words.insert(words.end(), {"--only", one});
        const Outcome outcome = run_cli(words);
        EXPECT_EQ(outcome.code, 0) << outcome.out << outcome.err;
        std::vector<std::string> all;
        const nlohmann::json found = nlohmann::json::parse(read_file(folder / "found.json"));
        for (const nlohmann::json& run : found.at("runs")) all.push_back(run.at("title"));
        return all;
    };
    using Titles = std::vector<std::string>;
    EXPECT_EQ(titles({"size 2500"}), Titles{"size 2500"});
    EXPECT_EQ(
        titles({"operation m"}),
        (Titles{"operation min, size 2500", "operation max, size 2500", "operation min, size 2500, type u32",
                "operation max, size 2500, type u32", "operation min, seed 950, size 9",
                "operation max, seed 856, size 9", "operation min, seed 15573268, size 1, type u32",
                "operation max, seed 32721788, size 1, type u32", "operation min, size 600, type u32",
                "operation max, size 600", "operation min, size 600, type u32, simulated",
                "operation max, size 600, simulated"}));
    EXPECT_EQ(titles({"type u32", "size 7"}).front(), "size 7");
    const Outcome none = run_cli({"judge", "reduce", "--variant", "sequential", "--only", "sizes"});
    EXPECT_EQ(none.code, 2);
    EXPECT_NE(none.err.find("--only: no problem has \"sizes\" in its title"), std::string::npos) << none.err;
    EXPECT_NE(none.err.find("operation max, size 2500"), std::string::npos) << none.err;
}

INSTANTIATE_TEST_SUITE_P(Kernels, RareMistake, ::testing::ValuesIn(rare()),
                         [](const auto& of) { return of.param.name; });

}  // namespace rare_mistakes_test
