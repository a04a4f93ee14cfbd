// `judge` names what is wrong with a kernel: one mistake is planted in a copy of a kernel at a time. Another
// command runs afterwards as if nothing had been.

#include <fstream>
#include <map>
#include <regex>
#include <set>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "core/base/hash.h"
#include "gpu/runtime/kernel_files.h"
#include "tests/app/cli_process.h"

namespace judge_test {

using ks::tests::Outcome;
using ks::tests::read_file;
using ks::tests::run_cli;
using ks::tests::TemporaryFolder;

/// c = a + b, by way of a.
constexpr const char* writes_into_an_input =
    "kernel void add(const ulong n, global const float* a, global const float* b, global float* c) {\n"
    "    const size_t i = get_global_id(0);\n"
    "    if (i >= n) return;\n"
    "    ((global float*)a)[i] += b[i];\n"
    "    c[i] = a[i];\n"
    "}\n";

class Judge : public ::testing::Test {
  protected:
    /// The published correlator with a statement before its last one, in line 51.
    static constexpr const char* last = "    g2_err[at] = terms";
    std::string planted(const std::string& statement) const {
        return replaced(last, "    " + statement + "\n" + last);
    }
    std::string replaced(const std::string& what, const std::string& by) const {
        std::string text = original_;
        const std::size_t at = text.find(what);
        EXPECT_NE(at, std::string::npos) << what;
        return at == std::string::npos ? text : text.replace(at, what.size(), by);
    }
    /// One problem, for mistakes that every problem shows.
    static std::vector<std::string> on_one_problem(const std::vector<std::string>& more = {}) {
        std::vector<std::string> all{"--frames", "5", "--height", "7", "--width", "9", "--ring-width", "3"};
        all.insert(all.end(), more.begin(), more.end());
        return all;
    }
    Outcome judge(const std::string& source, std::vector<std::string> more = {"--no-simulation"}) {
        std::ofstream(folder_ / "mine.cl") << source;
        more.insert(more.begin(), {"judge", "xpcs", "--variant", "seed.naive", "--kernel-source",
                                   folder_ / "mine.cl", "--json", folder_ / "found.json", "--overwrite"});
        Outcome outcome = run_cli(more);
        found_.clear();
        if (const std::string text = read_file(folder_ / "found.json"); !text.empty()) {
            const nlohmann::json json = nlohmann::json::parse(text);
            for (const auto& finding : json.at("findings"))
                found_[finding.at("id")] += finding.at("state").get<std::string>() + " ";
        }
        return outcome;
    }
    nlohmann::json finding(const std::string& id) const {
        const nlohmann::json json = nlohmann::json::parse(read_file(folder_ / "found.json"));
        for (const auto& one : json.at("findings"))
            if (one.at("id") == id) return one;
        return {};
    }
    void expect_wrong(const Outcome& outcome, const std::string& id, const std::string& text) {
        EXPECT_EQ(outcome.code, 1) << outcome.err;
        EXPECT_EQ(found_[id], "no ") << outcome.out;
        EXPECT_NE(outcome.out.find("\n" + id + ": "), std::string::npos) << outcome.out;
        EXPECT_NE(outcome.out.find(text), std::string::npos) << outcome.out;
    }

    TemporaryFolder folder_;
    std::string original_ = ks::gpu::kernel_text("gpu/xpcs/seed_naive.cl");
    std::map<std::string, std::string> found_;  ///< states by question
};

TEST_F(Judge, a_right_kernel_is_right_in_all) {
    const Outcome outcome = judge(original_, {});
    EXPECT_EQ(outcome.code, 0) << outcome.out << outcome.err;
    for (const char* id : {"builds", "guards", "ends", "survives", "values"})
        EXPECT_EQ(found_[id], "yes ") << id;
    EXPECT_NE(found_["races"], "no ") << "yes, or not known where there is no oclgrind";
}

TEST_F(Judge, the_help_has_the_sizes_that_are_taken) {
    const std::string help = run_cli({"judge", "xpcs", "--help"}).out;
    for (const std::string option : {"--height INTEGER", "--width INTEGER"}) {
        const std::size_t at = help.find(option);
        ASSERT_NE(at, std::string::npos) << help;
        EXPECT_NE(help.substr(at, help.find('\n', at) - at).find("(default: 32)"), std::string::npos) << help;
    }
}

TEST_F(Judge, a_kernel_that_does_not_build_is_shown_with_the_log) {
    const Outcome outcome = judge(replaced("S_T g_sum = 0;", "S_T g_sum = nowhere;"));
    EXPECT_EQ(outcome.code, 1) << outcome.err;
    EXPECT_EQ(found_["builds"], "no ");
    EXPECT_EQ(found_["values"], "unknown ");
    EXPECT_NE(outcome.out.find("mine.cl"), std::string::npos) << outcome.out;
    EXPECT_NE(outcome.out.find("nowhere"), std::string::npos) << outcome.out;
}

TEST_F(Judge, a_wrong_count_in_one_bin_is_found_with_its_place) {
    expect_wrong(judge(replaced("(double)g_sum / ss_sum : NAN",
                                "(double)(g_sum + (bin == 1 && tau == 3)) / ss_sum : NAN")),
                 "values", "bin 2, delay 3");
    EXPECT_EQ(found_["guards"], "yes ");
}

TEST_F(Judge, a_write_beside_a_buffer_is_found) {
    expect_wrong(
        judge(planted("if (at == 0) g2[-1] = 0.5;"), on_one_problem({"--no-simulation"})), "guards",
        "the kernel correlate wrote at least 8 bytes, 8 bytes before the beginning of its argument 3 `g2`");
    EXPECT_EQ(found_["builds"], "yes ");
}

TEST_F(Judge, a_wrong_value_inside_a_buffer_is_no_damage_even_if_no_result_can_be_made_of_it) {
    std::string text = ks::gpu::kernel_text("gpu/clusters/map_cpu.cl");
    text.insert(text.rfind('}'), "    if (block_count > 0) labels[0] = 5;\n");
    std::ofstream(folder_ / "mine.cl") << text;
    const Outcome outcome = run_cli({"judge", "clusters", "--variant", "map.cpu", "--kernel-source",
                                     folder_ / "mine.cl", "--no-simulation"});
    EXPECT_EQ(outcome.code, 1) << outcome.out << outcome.err;
    EXPECT_NE(outcome.out.find("\nguards: not known, the run ended with wrong values"), std::string::npos)
        << outcome.out;
    EXPECT_NE(
        outcome.out.find("\nvalues: wrong, label: the value 5 of digi 0 is not the smallest row number"),
        std::string::npos)
        << outcome.out;
}

TEST_F(Judge, a_kernel_that_only_another_choice_needs_is_judged) {
    // Of both, the default problem shows nothing.
    const auto judged = [&](const char* analysis, const char* variant, const char* file,
                            const char* entry_point) {
        const std::regex head("(\\bvoid\\s+" + std::string(entry_point) + "\\s*\\([^{]*\\{)");
        const std::string text = ks::gpu::kernel_text(file);
        std::ofstream(folder_ / "mine.cl") << std::regex_replace(text, head, "$1\n    return;\n");
        return run_cli({"judge", analysis, "--variant", variant, "--kernel-source", folder_ / "mine.cl",
                        "--no-simulation"});
    };
    const Outcome cut =
                      judged("clusters", "unionfind.global", "gpu/clusters/general_path.cl", "finish_labels"),
                  row = judged("copy", "wide.copy", "gpu/basics/copy/wide.cl", "copy_1d");
    for (const Outcome& outcome : {cut, row}) {
        EXPECT_EQ(outcome.code, 1) << outcome.out << outcome.err;
        EXPECT_NE(outcome.out.find("\nvalues: wrong"), std::string::npos) << outcome.out;
    }
}

TEST_F(Judge, a_mistake_is_found_that_only_more_work_shows) {
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
        std::ofstream(folder_ / "mine.cl") << text;
        const Outcome outcome = run_cli({"judge", one.analysis, "--variant", one.variant, "--kernel-source",
                                         folder_ / "mine.cl", "--no-simulation"});
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

TEST_P(RareMistake, is_found_by_the_problems_that_are_there_for_it_and_by_none_of_the_usual) {
    const TemporaryFolder folder;
    std::string text = ks::gpu::kernel_text(GetParam().file);
    for (const Rare::Change& change : GetParam().changes) {
        const std::size_t at = text.find(change.what);
        ASSERT_NE(at, std::string::npos) << change.what;
        text.replace(at, std::string(change.what).size(), change.by);
    }
    std::ofstream(folder / "mine.cl") << text;
    const Outcome outcome =
        run_cli({"judge", GetParam().analysis, "--variant", GetParam().variant, "--kernel-source",
                 folder / "mine.cl", "--no-simulation", "--json", folder / "found.json"});
    EXPECT_EQ(outcome.code, 1) << outcome.out << outcome.err;
    std::set<std::string> left(GetParam().at.begin(), GetParam().at.end());
    const nlohmann::json found = nlohmann::json::parse(read_file(folder / "found.json"));
    const nlohmann::json& runs = found.at("runs");
    for (std::size_t i = 0; i < runs.size(); ++i) {
        const std::string title = runs[i].at("title");
        bool named = false, wrong = false;
        for (const nlohmann::json& one : runs[i].at("findings"))
            wrong = wrong || (one.at("id") == "values" && one.at("state") == "no");
        for (const std::string& words : GetParam().at)
            if (title.find(words) != std::string::npos) {
                named = true;
                if (wrong) left.erase(words);
            }
        const bool is_usual = i > 0 && i <= 3 && !named;  // after the small problem
        EXPECT_FALSE(wrong && is_usual) << title << "\n" << outcome.out;
    }
    EXPECT_TRUE(left.empty()) << "no run with this is wrong: " << *left.begin() << "\n" << outcome.out;
}

INSTANTIATE_TEST_SUITE_P(Kernels, RareMistake, ::testing::ValuesIn(rare()),
                         [](const auto& of) { return of.param.name; });

TEST_F(Judge, a_wrong_stride_is_found_that_only_three_dimensions_use) {
    std::string text = ks::gpu::kernel_text("gpu/basics/index_space/write_ids.cl");
    const std::string right = "get_group_id(2) * get_num_groups(1)";
    const std::size_t at = text.find(right);
    ASSERT_NE(at, std::string::npos);
    std::ofstream(folder_ / "mine.cl")
        << text.replace(at, right.size(), "get_group_id(2) * get_num_groups(0)");
    const Outcome outcome = run_cli({"judge", "index_space", "--variant", "write.ids", "--kernel-source",
                                     folder_ / "mine.cl", "--no-simulation"});
    EXPECT_EQ(outcome.code, 1) << outcome.out << outcome.err;
    EXPECT_NE(outcome.out.find("\nvalues: wrong"), std::string::npos) << outcome.out;
}

TEST_F(Judge, a_copy_reads_parents_as_its_base_does_in_the_simulation) {
    if (std::system("command -v oclgrind > /dev/null") != 0) GTEST_SKIP() << "oclgrind is not installed";
    // The definition is in a file that the text includes.
    for (const auto& [variant, file] : {std::pair{"unionfind.global", "gpu/clusters/general_path.cl"},
                                        std::pair{"sparse.sorted", "gpu/clusters/sparse_sorted.cl"}}) {
        SCOPED_TRACE(variant);
        std::ofstream(folder_ / "mine.cl") << ks::gpu::kernel_text(file);
        const Outcome outcome =
            run_cli({"judge", "clusters", "--variant", variant, "--kernel-source", folder_ / "mine.cl",
                     "--events", "2", "--modules", "5", "--digis", "200", "--clusters", "70"});
        EXPECT_EQ(outcome.code, 0) << outcome.out << outcome.err;
        EXPECT_NE(outcome.out.find("\nraces: none found"), std::string::npos) << outcome.out;
    }
}

TEST_F(Judge, a_definition_that_the_launch_sets_itself_cannot_be_given) {
    std::ofstream(folder_ / "mine.cl") << "// kernelscope variant\n// base: source.cells\n\n"
                                       << ks::gpu::kernel_text("gpu/particles/source_cells.cl");
    std::filesystem::create_directories(folder_ / "variants/particles");
    std::filesystem::rename(folder_ / "mine.cl", folder_ / "variants/particles/mine.cl");
    setenv("KERNELSCOPE_VARIANTS", (folder_ / "variants").c_str(), 1);
    const Outcome other = run_cli({"judge", "particles", "--variant", "user.mine", "--no-simulation",
                                   "--define", "TILE=16"}),
                  same = run_cli({"judge", "particles", "--variant", "user.mine", "--no-simulation",
                                  "--define", "TILE=256"});
    unsetenv("KERNELSCOPE_VARIANTS");
    EXPECT_EQ(other.code, 2) << other.out;
    EXPECT_NE(other.err.find("definition TILE: the program launches this kernel with 256"), std::string::npos)
        << other.err;
    EXPECT_EQ(same.code, 0) << same.err;
}

TEST_F(Judge, a_kernel_that_does_not_end_is_named) {
    expect_wrong(judge(planted("while (g2[at] < 1e30) g2[at] *= -1.0;"),
                       on_one_problem({"--no-simulation", "--time-limit", "1"})),
                 "ends", "the kernel correlate did not finish within 1 s");
    EXPECT_EQ(found_["survives"], "unknown ");
    EXPECT_EQ(judge(original_, on_one_problem({"--no-simulation"})).code, 0);
}

TEST_F(Judge, the_time_limit_of_a_kernel_is_not_that_of_its_compiler) {
    // PoCL compiles a kernel when it is launched, and needs seconds for so many barriers.
    std::ofstream file(folder_ / "mine.cl");
    file
        << "kernel void add(const ulong n, global const float* a, global const float* b, global float* c) {\n"
           "    local float other[4096];\n"
           "    const size_t i = get_global_id(0), l = get_local_id(0);\n"
           "    float sum = i < n ? a[i] + b[i] : 0, unused = 0;\n";
    for (int k = 0; k < 100; ++k)
        file << "    other[l] = sum;\n    barrier(CLK_LOCAL_MEM_FENCE);\n    unused += sin(other[0] * " << k
             << ");\n    barrier(CLK_LOCAL_MEM_FENCE);\n";
    file << "    if (i < n) c[i] = unused > 1e30f ? unused : sum;\n}\n";
    file.close();
    run_cli({"judge", "vector_add", "--variant", "seed.add", "--kernel-source", folder_ / "mine.cl", "--size",
             "99", "--no-simulation", "--time-limit", "0.3", "--json", folder_ / "found.json"});
    std::map<std::string, std::string> states;
    const nlohmann::json found = nlohmann::json::parse(read_file(folder_ / "found.json"));
    for (const nlohmann::json& one : found.at("findings")) states[one.at("id")] = one.at("state");
    EXPECT_EQ(states["ends"], "yes");
    EXPECT_EQ(states["values"], "yes");
}

TEST_F(Judge, a_kernel_that_ends_the_process_is_named_with_the_signal) {
    expect_wrong(judge(planted("g2[(size_t)1 << 44] = 0.5;"), on_one_problem({"--no-simulation"})),
                 "survives",
                 "the kernel correlate crashed the process: an illegal access to memory (signal 11, "
                 "Segmentation fault)");
    EXPECT_EQ(judge(original_, on_one_problem({"--no-simulation"})).code, 0);
}

TEST_F(Judge, races_and_accesses_are_named_with_their_lines) {
    if (std::system("command -v oclgrind > /dev/null") != 0) GTEST_SKIP() << "oclgrind is not installed";
    expect_wrong(
        judge(planted("g2[0] = at; if (at == 0) g2[-1] = 0.5;"), on_one_problem()), "races",
        "races: found, " + folder_ / "mine.cl:51 and " + folder_ / "mine.cl:50: Write-write data race");
    EXPECT_EQ(found_["accesses"], "no ");
    const nlohmann::json places = finding("races").at("places");
    ASSERT_EQ(places.size(), 2U);
    EXPECT_EQ(places[0].at("file"), folder_ / "mine.cl");
    EXPECT_EQ(places[0].at("line"), 51);
    EXPECT_EQ(places[1].at("line"), 50);
    EXPECT_EQ(finding("accesses").at("places").at(0).at("line"), 51);
}

TEST_F(Judge, a_barrier_that_some_work_items_reach_is_named_with_its_line) {
    if (std::system("command -v oclgrind > /dev/null") != 0) GTEST_SKIP() << "oclgrind is not installed";
    expect_wrong(judge(planted("if (at % 2 == 0) barrier(CLK_LOCAL_MEM_FENCE);"), on_one_problem()),
                 "barriers", "mine.cl:51: Only ");
    EXPECT_EQ(finding("barriers").at("places").at(0).at("line"), 51);
    EXPECT_EQ(found_["races"], "yes ");
}

TEST_F(Judge, a_kernel_of_ones_own_is_judged_as_its_file_is) {
    if (std::system("command -v oclgrind > /dev/null") != 0) GTEST_SKIP() << "oclgrind is not installed";
    const std::string header = "// kernelscope variant\n// base: seed.naive\n\n";
    const std::string text = header + planted("if (at == 0) g2_err[at] = g2[-1];");
    std::filesystem::create_directories(folder_ / "variants/xpcs");
    std::ofstream(folder_ / "variants/xpcs/mine.cl") << text;
    setenv("KERNELSCOPE_VARIANTS", (folder_ / "variants").c_str(), 1);
    const Outcome outcome = run_cli({"judge", "xpcs", "--variant", "user.mine", "--progress", "--json",
                                     folder_ / "found.json", "--overwrite"});
    unsetenv("KERNELSCOPE_VARIANTS");
    EXPECT_EQ(outcome.code, 1) << outcome.err;
    const nlohmann::json json = nlohmann::json::parse(read_file(folder_ / "found.json"));
    EXPECT_EQ(json.at("kernel_file"), folder_ / "variants/xpcs/mine.cl");
    EXPECT_EQ(json.at("text_hash"), ks::hash_text(ks::hash_of(text))) << "of the file, with its header";
    const nlohmann::json found = finding("accesses");
    EXPECT_EQ(found.at("state"), "no") << outcome.out;
    EXPECT_EQ(found.at("places").at(0).at("line"), 54) << "three lines of header, then line 51";
    EXPECT_NE(outcome.err.find(
                  "judge: a run under oclgrind, frames 5, height 7, ring_width 3, width 9, simulated 0%"),
              std::string::npos)
        << outcome.err;
}

TEST_F(Judge, without_oclgrind_it_is_said) {
    std::ofstream(folder_ / "oclgrind") << "#!/bin/sh\nexit 3\n";
    std::filesystem::permissions(folder_ / "oclgrind", std::filesystem::perms::owner_all);
    const std::string path = std::getenv("PATH");
    setenv("PATH", (folder_.path().string() + ":" + path).c_str(), 1);
    const Outcome damaged = judge(original_, {});
    setenv("PATH", path.c_str(), 1);
    EXPECT_EQ(damaged.code, 0) << damaged.out << damaged.err;
    EXPECT_NE(damaged.out.find("races: not known, oclgrind ended unexpectedly: exit code 3"),
              std::string::npos)
        << damaged.out;
    EXPECT_EQ(judge(original_, {"--no-simulation"}).code, 0);
}

TEST_F(Judge, what_the_c_library_writes_is_a_reason_and_not_of_this_program) {
    std::ofstream(folder_ / "oclgrind") << "#!/bin/sh\n"
                                           "echo 'munmap_chunk(): invalid pointer' >&2\n"
                                           "echo 'something else' >&2\n"
                                           "kill -ABRT $$\n";
    std::filesystem::permissions(folder_ / "oclgrind", std::filesystem::perms::owner_all);
    const std::string path = std::getenv("PATH");
    setenv("PATH", (folder_.path().string() + ":" + path).c_str(), 1);
    const Outcome aborted = judge(original_, {});
    setenv("PATH", path.c_str(), 1);
    EXPECT_EQ(aborted.code, 0) << aborted.out << aborted.err;
    EXPECT_EQ(aborted.err.find("munmap_chunk"), std::string::npos) << aborted.err;
    EXPECT_NE(aborted.err.find("something else"), std::string::npos) << aborted.err;
    const std::size_t races = aborted.out.find("races: not known, oclgrind ended unexpectedly: ");
    ASSERT_NE(races, std::string::npos) << aborted.out;
    const std::string line = aborted.out.substr(races, aborted.out.find('\n', races) - races);
    EXPECT_NE(line.find("the C library wrote: munmap_chunk(): invalid pointer"), std::string::npos) << line;
}

TEST_F(Judge, a_wrong_pixel_of_spots_is_found_with_its_place) {
    std::string text = ks::gpu::kernel_text("gpu/spots/tile/seed_brute.cl");
    text.insert(text.rfind('}'),
                "    if (get_global_id(0) == 5 && get_global_id(1) == 7)\n"
                "        atomic_xor(bits + word_at(shape, 0, 7, 5), 1u << 5);\n");
    std::ofstream(folder_ / "mine.cl") << text;
    const Outcome outcome = run_cli({"judge", "spots", "--variant", "seed.brute", "--kernel-source",
                                     folder_ / "mine.cl", "--no-simulation"});
    EXPECT_EQ(outcome.code, 1) << outcome.err;
    EXPECT_NE(outcome.out.find("values: "), std::string::npos) << outcome.out;
    EXPECT_NE(outcome.out.find("x 5, y 7"), std::string::npos) << outcome.out;
    EXPECT_EQ(outcome.out.find("under oclgrind"), std::string::npos) << "nothing was simulated:\n"
                                                                     << outcome.out;
    EXPECT_EQ(outcome.out.find(", simulated"), std::string::npos) << outcome.out;
}

TEST_F(Judge, bench_names_a_planted_kernel_and_times_the_others) {
    std::ofstream(folder_ / "mine.cl") << replaced("(double)g_sum / ss_sum : NAN",
                                                   "(double)(g_sum + (bin == 1 && tau == 3)) / ss_sum : NAN");
    const Outcome outcome = run_cli({"bench", "xpcs", "--frames", "20", "--height", "40", "--width", "40",
                                     "--variants", "seed.naive,seed.ordered", "--repeat", "2",
                                     "--kernel-source", "seed.naive=" + folder_ / "mine.cl"});
    EXPECT_EQ(outcome.code, 1) << outcome.out;
    EXPECT_NE(outcome.err.find("seed.naive"), std::string::npos) << outcome.err;
    EXPECT_NE(outcome.err.find("bin 2, delay 3"), std::string::npos) << outcome.err;
    EXPECT_NE(outcome.out.find("seed.ordered"), std::string::npos) << outcome.out;
}

TEST_F(Judge, a_write_into_an_input_is_found) {
    std::ofstream(folder_ / "mine.cl") << writes_into_an_input;
    const Outcome outcome = run_cli({"judge", "vector_add", "--variant", "seed.add", "--kernel-source",
                                     folder_ / "mine.cl", "--size", "99", "--no-simulation"});
    EXPECT_EQ(outcome.code, 1) << outcome.out << outcome.err;
    EXPECT_NE(outcome.out.find("wrote into an input: argument 1 `a` of the kernel add"), std::string::npos)
        << outcome.out;
}

TEST_F(Judge, the_values_of_a_kernel_that_writes_into_an_input_are_known) {
    std::ofstream(folder_ / "mine.cl") << writes_into_an_input;
    // Several sizes, each with the fault.
    const Outcome outcome = run_cli({"judge", "vector_add", "--variant", "seed.add", "--kernel-source",
                                     folder_ / "mine.cl", "--no-simulation"});
    EXPECT_EQ(outcome.code, 1) << outcome.out << outcome.err;
    EXPECT_NE(outcome.out.find("guards: damaged"), std::string::npos) << outcome.out;
    EXPECT_NE(outcome.out.find("\nvalues: "), std::string::npos) << outcome.out;
    EXPECT_EQ(outcome.out.find("values: not known"), std::string::npos) << outcome.out;
}

TEST_F(Judge, a_write_into_an_input_spoils_no_other_kernel) {
    std::ofstream(folder_ / "mine.cl") << writes_into_an_input;
    const Outcome outcome =
        run_cli({"bench", "vector_add", "--size", "99", "--variants", "seed.add,wide.add,host.reference",
                 "--repeat", "3", "--check", "full", "--kernel-source", "seed.add=" + folder_ / "mine.cl"});
    EXPECT_EQ(outcome.code, 1) << outcome.out << outcome.err;
    EXPECT_NE(outcome.err.find("seed.add"), std::string::npos) << outcome.err;
    EXPECT_NE(outcome.err.find("wrote into an input"), std::string::npos) << outcome.err;
    EXPECT_EQ(outcome.err.find("wide.add"), std::string::npos) << outcome.err;
    EXPECT_NE(outcome.out.find("wide.add"), std::string::npos) << outcome.out;
}

TEST_F(Judge, a_define_that_the_given_text_does_not_have_is_refused) {
    std::ofstream(folder_ / "mine.cl") << "#if defined(FAST)\n#endif\n" << writes_into_an_input;
    const Outcome outcome = run_cli({"vector_add", "--variant", "seed.add", "--size", "99", "--kernel-source",
                                     folder_ / "mine.cl", "--define", "FAST=1"});
    EXPECT_EQ(outcome.code, 2) << outcome.out << outcome.err;
    EXPECT_NE(outcome.err.find("unknown definition FAST"), std::string::npos) << outcome.err;
}

TEST_F(Judge, what_is_no_kernel_is_refused) {
    EXPECT_EQ(run_cli({"judge", "xpcs", "--variant", "host.gram"}).code, 2);
    EXPECT_EQ(run_cli({"judge", "xpcs", "--variant", "nothing"}).code, 2);
    EXPECT_EQ(run_cli({"judge", "xpcs"}).code, 2);
}

}  // namespace judge_test
