// `judge` names what is wrong with a kernel: one mistake is planted in a copy of a kernel at a time. Another
// command runs afterwards as if nothing had been.

#include <fstream>
#include <regex>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "core/base/hash.h"
#include "gpu/runtime/kernel_files.h"
#include "tests/app/cli_process.h"
#include "tests/app/judge/judged_copy.h"

namespace judge_test {

/// c = a + b, by way of a.
constexpr const char* writes_into_an_input =
    "kernel void add(const ulong n, global const float* a, global const float* b, global float* c) {\n"
    "    const size_t i = get_global_id(0);\n"
    "    if (i >= n) return;\n"
    "    ((global float*)a)[i] += b[i];\n"
    "    c[i] = a[i];\n"
    "}\n";

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
