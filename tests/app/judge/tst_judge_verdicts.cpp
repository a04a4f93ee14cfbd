// What `judge` says of kernels that are right at one size and wrong at another, of simulations that do not
// come to their end, and of values that nobody knows.

#include <algorithm>
#include <fstream>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "gpu/runtime/kernel_files.h"
#include "tests/app/cli_process.h"

namespace judge_verdicts_test {

using ks::tests::Outcome;
using ks::tests::read_file;
using ks::tests::run_cli;
using ks::tests::TemporaryFolder;

/// An addition of vectors whose statements a test gives.
std::string addition(const std::string& statements) {
    return "kernel void add(const ulong n, global const float* a, global const float* b, global float* c) {\n"
           "    const size_t i = get_global_id(0);\n" +
           statements + "}\n";
}

/// A sum by groups of WG; of_group() is item 0's.
std::string sum(const std::string& of_items, const std::string& of_group) {
    return "kernel void reduce(const ulong n, global const float* x, global const float* y,\n"
           "                   volatile global uint* out) {\n"
           "    local float cells[WG];\n"
           "    const size_t i = get_global_id(0), l = get_local_id(0);\n" +
           of_items +
           "    barrier(CLK_LOCAL_MEM_FENCE);\n"
           "    if (l > 0) return;\n"
           "    float all = 0;\n"
           "    for (int k = 0; k < WG; ++k) all += cells[k];\n" +
           of_group + "}\n";
}

constexpr const char* joined_atomically =
    "    for (uint was = atomic_or(out, 0u), found;; was = found) {\n"
    "        found = atomic_cmpxchg(out, was, as_uint(as_float(was) + all));\n"
    "        if (found == was) break;\n"
    "    }\n";

class JudgeVerdicts : public ::testing::Test {
  protected:
    Outcome judge(const std::string& analysis, const std::string& variant, const std::string& source,
                  const std::vector<std::string>& more = {}) {
        std::vector<std::string> words{"judge", analysis, "--variant", variant};
        if (!source.empty()) {
            std::ofstream(file_) << source;
            words.insert(words.end(), {"--kernel-source", file_});
        }
        words.insert(words.end(), {"--json", folder_ / "found.json", "--overwrite"});
        words.insert(words.end(), more.begin(), more.end());
        if (std::ranges::count(more, "--simulation-limit") == 0)
            words.insert(words.end(), {"--simulation-limit", "600"});  // however busy the machine is
        Outcome outcome = run_cli(words);
        json_ = nlohmann::json::parse(read_file(folder_ / "found.json"));
        return outcome;
    }
    nlohmann::json finding(const std::string& id) const {
        for (const auto& one : json_.at("findings"))
            if (one.at("id") == id) return one;
        return {};
    }
    std::string state(const std::string& id) const { return finding(id).at("state"); }
    static std::string last_line(const std::string& text) {
        const std::string whole = text.substr(0, text.find_last_not_of('\n') + 1);
        return whole.substr(whole.rfind('\n') + 1);
    }
    static bool no_oclgrind() { return std::system("command -v oclgrind > /dev/null") != 0; }

    TemporaryFolder folder_;
    std::string file_ = folder_ / "own.cl";
    nlohmann::json json_;
};

TEST_F(JudgeVerdicts, a_tail_that_is_left_out_is_found_at_the_size_that_has_one) {
    const Outcome outcome =
        judge("vector_add", "seed.add", addition("    if (i < n / 4 * 4) c[i] = a[i] + b[i];\n"),
              {"--no-simulation"});
    EXPECT_EQ(outcome.code, 1) << outcome.out;
    EXPECT_EQ(state("values"), "no");
    EXPECT_EQ(finding("values").at("at"), nlohmann::json::array({"size 7", "size 1025", "size 1048595"}));
    EXPECT_NE(outcome.out.find("\nvalues: wrong, "), std::string::npos) << outcome.out;
}

TEST_F(JudgeVerdicts, a_check_of_the_range_that_is_missing_is_found_though_the_driver_chooses_the_groups) {
    for (const std::string statement :
         {"    c[i] = a[i] + b[i];\n", "    if (i <= n) c[i] = a[i] + b[i];\n"}) {
        const Outcome outcome = judge("vector_add", "seed.add", addition(statement), {"--no-simulation"});
        EXPECT_EQ(outcome.code, 1) << outcome.out;
        EXPECT_EQ(state("guards"), "no");
        EXPECT_NE(outcome.out.find("local_size 64, size 2500"), std::string::npos) << outcome.out;
        EXPECT_NE(outcome.out.find("with: local_size left to the driver\n"), std::string::npos)
            << outcome.out;
    }
}

TEST_F(JudgeVerdicts, sizes_and_seeds_are_lists_and_each_combination_is_a_run) {
    const Outcome outcome =
        judge("vector_add", "seed.add", addition("    if (i < n && i != 16) c[i] = a[i] + b[i];\n"),
              {"--sizes", "1,16,17", "--seeds", "3,4", "--no-simulation"});
    EXPECT_EQ(outcome.code, 1) << outcome.out;
    std::vector<std::string> wrong;
    std::size_t on_device = 0;
    for (const auto& run : json_.at("runs")) {
        on_device += run.at("simulated") ? 0 : 1;
        for (const auto& one : run.at("findings"))
            if (one.at("id") == "values" && one.at("state") == "no") wrong.push_back(run.at("title"));
    }
    EXPECT_EQ(on_device, 6U);
    EXPECT_EQ(wrong, std::vector<std::string>({"seed 3, size 17", "seed 4, size 17"}));
    EXPECT_NE(outcome.out.find("seed 4, size 16"), std::string::npos) << outcome.out;
}

TEST_F(JudgeVerdicts, without_a_fault_every_question_is_answered) {
    if (no_oclgrind()) GTEST_SKIP() << "oclgrind is not installed";
    const Outcome outcome = judge("reduce", "atomics",
                                  sum("    cells[l] = i < n ? x[i] : 0;\n", joined_atomically), {"--strict"});
    EXPECT_EQ(outcome.code, 0) << outcome.out << outcome.err;
    for (const char* line :
         {"\nvalues: right, ", "\nraces: none found, but writes of the same value ",
          "\naccesses: none found\n", "\nuninitialised: none found\n", "\nbarriers: none found\n"})
        EXPECT_NE(outcome.out.find(line), std::string::npos) << line << outcome.out;
    EXPECT_EQ(outcome.out.find("not known"), std::string::npos) << outcome.out;
    // It adds up, and names no definition of the operation or the type.
    EXPECT_NE(
        outcome.out.find("\nnot taken: WG 256, operation min, size 2500; WG 256, operation max, size "
                         "2500; WG 256, operation min, seed 950, size 9; WG 256, operation max, seed "
                         "856, size 9; WG 256, operation max, size 600; operation max, size 600, "
                         "simulated: the kernel names none of the definitions that make the difference ("),
        std::string::npos)
        << outcome.out;
}

TEST_F(JudgeVerdicts, names_in_an_included_file_that_a_kernel_does_not_use_do_not_count) {
    const std::string rest =
        "kernel void call(const uint items, const uint calls, const uint contention,\n"
        "                 global const uint* operands, volatile global uint* counters, global uint* "
        "returned) {\n"
        "    const uint g = get_global_id(0);\n    if (g >= items) return;\n"
        "    for (uint k = 0; k < calls; ++k) atomic_add(&counters[g / contention], operands[g] + k);\n}\n";
    const Outcome outcome =
        judge("atomics", "global.atomics", "#include \"gpu/basics/atomics/functions.cl\"\n" + rest,
              {"--no-simulation", "--only", "items 64, repeats 1", "--only", "function"});
    EXPECT_EQ(outcome.code, 0) << outcome.out << outcome.err;
    EXPECT_NE(outcome.out.find("function sub, items 600, repeats 1"), std::string::npos) << outcome.out;
    EXPECT_NE(outcome.out.find(": the kernel names none of the definitions that make the difference ("),
              std::string::npos)
        << outcome.out;
}

TEST_F(JudgeVerdicts, a_kernel_with_a_function_of_its_own_is_not_asked_for_another_one) {
    std::string text = ks::gpu::kernel_text("gpu/basics/expression/map_reduce.cl");
    const std::string kernel = "\nkernel ";
    text.insert(
        text.find(kernel) + 1,
        "float map_of(uint i, global const float* x, global const float* y) { return x[i] * y[i]; }\n");
    const Outcome outcome = judge("expression", "map.reduce", text, {"--no-simulation"});
    EXPECT_EQ(outcome.code, 0) << outcome.out << outcome.err;
    EXPECT_NE(outcome.out.find(": the kernel defines map_of itself"), std::string::npos) << outcome.out;
}

TEST_F(JudgeVerdicts, a_read_before_the_start_of_a_map_is_found_at_the_first_pixel_of_a_module) {
    if (no_oclgrind()) GTEST_SKIP() << "oclgrind is not installed";
    for (const auto& [what, by] : {std::pair{"+ x[row] + 1)", "+ x[row])"}, {"(y[row] + 1) *", "y[row] *"}}) {
        std::string text = ks::gpu::kernel_text("gpu/clusters/map_cpu.cl");
        const std::size_t at = text.find(what);
        ASSERT_NE(at, std::string::npos) << what;
        text.replace(at, std::string(what).size(), by);
        const Outcome outcome =
            judge("clusters", "map.cpu", text, {"--only", "critical 16_bits, digis 64, events 1, modules 2"});
        EXPECT_EQ(outcome.code, 1) << outcome.out << outcome.err;
        EXPECT_NE(outcome.out.find("\naccesses: found, "), std::string::npos) << outcome.out;
    }
}

TEST_F(JudgeVerdicts, a_race_between_groups_is_found_with_its_line) {
    if (no_oclgrind()) GTEST_SKIP() << "oclgrind is not installed";
    const Outcome outcome =
        judge("reduce", "atomics",
              sum("    cells[l] = i < n ? x[i] : 0;\n", "    *out = as_uint(as_float(*out) + all);\n"),
              {"--sizes", "700"});
    EXPECT_EQ(outcome.code, 1) << outcome.out;
    EXPECT_NE(outcome.out.find("\nraces: found, " + file_ + ":10: "), std::string::npos) << outcome.out;
    EXPECT_EQ(
        std::ranges::count_if(json_.at("findings"), [](const auto& one) { return one.at("id") == "races"; }),
        1)
        << outcome.out;
}

/// A shipped kernel in which some text is replaced.
std::string with(const std::string& file, const std::string& text, const std::string& by) {
    std::string all = ks::gpu::kernel_text(file);
    const std::size_t at = all.find(text);
    if (at == std::string::npos) throw std::runtime_error(file + " has no \"" + text + "\"");
    return all.replace(at, text.size(), by);
}

TEST_F(JudgeVerdicts, what_only_another_choice_runs_is_simulated) {
    if (no_oclgrind()) GTEST_SKIP() << "oclgrind is not installed";
    struct Case {
        const char *analysis, *variant, *file, *text, *by, *only, *found;
    };
    // a sum behind a charge cut; an operation of integers; targets at points; pairs at distance 0
    for (const Case& one : {Case{"clusters", "unionfind.local", "gpu/clusters/unionfind_local.cl",
                                 "atomic_add(&charge[root], adc[row]);", "charge[root] += adc[row];",
                                 "charge_cut 5000, clusters 20", "races"},
                            Case{"reduce", "atomics", "gpu/basics/reduce/atomics.cl",
                                 "#define ATOMIC_JOIN(to, value) atomic_min(to, value)",
                                 "#define ATOMIC_JOIN(to, value) (*(to) = min(*(to), value))",
                                 "operation min, size 600", "races"},
                            Case{"particles", "target.tiled", "gpu/particles/target_tiled.cl",
                                 "first + min(t, total - 1)", "first + t", "targets 33", "accesses"},
                            Case{"particles", "target.tiled", "gpu/particles/target_tiled.cl",
                                 "const uint before = atomic_add(skipped, found);",
                                 "const uint before = *skipped;\n    *skipped = before + found;",
                                 "points 27, shape lattice", "races"}}) {
        SCOPED_TRACE(one.by);
        std::string text = ks::gpu::kernel_text(one.file);
        if (text.find(one.text) == std::string::npos) text = ks::gpu::resolve_includes(text);
        const std::size_t at = text.find(one.text);
        ASSERT_NE(at, std::string::npos);
        text.replace(at, std::string(one.text).size(), one.by);
        const Outcome outcome = judge(one.analysis, one.variant, text, {"--only", one.only});
        EXPECT_EQ(outcome.code, 1) << outcome.out;
        EXPECT_EQ(state(one.found), "no") << outcome.out;
        EXPECT_NE(finding(one.found).at("at").dump().find("simulated"), std::string::npos) << outcome.out;
    }
}

TEST_F(JudgeVerdicts, a_choice_that_was_not_simulated_is_named_by_the_answers_of_the_simulator) {
    if (no_oclgrind()) GTEST_SKIP() << "oclgrind is not installed";
    // Without a problem that is simulated with the maximum.
    const std::vector<std::string> some{"--only", "operation max, size 2500", "--only", "size 2500",
                                        "--only", "size 2500, simulated"};
    const std::string shipped = ks::gpu::kernel_text("gpu/basics/reduce/atomics.cl");
    const Outcome outcome = judge("reduce", "atomics", shipped, some);
    EXPECT_EQ(outcome.code, 0) << outcome.out << outcome.err;
    EXPECT_NE(outcome.out.find("\naccesses: none found, but not simulated with operation max\n"),
              std::string::npos)
        << outcome.out;
    EXPECT_NE(outcome.out.find("\nraces: none found, but not simulated with operation max; and writes"),
              std::string::npos)
        << outcome.out;
    EXPECT_EQ(finding("barriers").at("text"), "but not simulated with operation max");
}

TEST_F(JudgeVerdicts, a_barrier_missing_between_the_steps_of_a_loop_is_found_though_the_problem_is_small) {
    if (no_oclgrind()) GTEST_SKIP() << "oclgrind is not installed";
    struct Case {
        const char *analysis, *variant;
        std::string source, at;  ///< where the race has to be found
        std::vector<std::string> more;
    };
    const std::string barrier = "    barrier(CLK_LOCAL_MEM_FENCE);\n";
    const std::vector<Case> cases{
        {"scan",
         "three_passes",
         with("gpu/basics/scan/three_passes.cl", "    *all = from[WG - 1];\n" + barrier,
              "    *all = from[WG - 1];\n"),
         "WG 16, size 2500, simulated",
         {"--size", "2500"}},
        // Only the columns of one strip wait for each other.
        {"matmul",
         "column.local",
         with("gpu/basics/matmul/column_local.cl", "            }\n        " + barrier,
              "            }\n            if (j + 1 < last) barrier(CLK_LOCAL_MEM_FENCE);\n"),
         "STRIP 64, WG 16, size 70, simulated",
         {"--size", "70"}},
        // The diagonal of a tile goes through local memory in steps of a group.
        {"xpcs",
         "gram.tiled",
         with("gpu/xpcs/gram_tiled.cl", barrier + "#if FP64\n",
              barrier +
                  "    local G_T staged[WG];\n"
                  "    const uint lid = get_local_id(0), last = WG - 1 - lid;\n"
                  "    for (uint from = 0; from < TILE; from += WG) {\n"
                  "        if (from + lid < TILE) staged[lid] = g[(from + lid) * (TILE + 1)];\n"
                  "    " +
                  barrier +
                  "        if (from + last < TILE) g[(from + last) * (TILE + 1)] = staged[last];\n"
                  "    }\n" +
                  barrier + "#if FP64\n"),
         "WG 32, ring_width 3, simulated",
         {"--define", "PRODUCT=vector", "--define", "CHUNK=4096", "--frames", "3", "--height", "17",
          "--width", "19"}}};
    for (const Case& one : cases) {
        const Outcome outcome = judge(one.analysis, one.variant, one.source, one.more);
        EXPECT_EQ(outcome.code, 1) << outcome.out << outcome.err;
        EXPECT_EQ(state("races"), "no") << outcome.out;
        const std::string at = finding("races").at("at").dump();
        EXPECT_NE(at.find(one.at), std::string::npos) << at;
        EXPECT_EQ(finding("races").at("at").size(), 1U)
            << "no other simulation passes the loop twice: " << at;
    }
}

/// The shipped kernel with its included files pasted, and without the barrier before the next tile is loaded.
std::string pasted_without_barrier() {
    std::string all = ks::gpu::resolve_includes(ks::gpu::kernel_text("gpu/particles/target_tiled.cl"));
    const std::string barrier = "        barrier(CLK_LOCAL_MEM_FENCE);\n";
    const std::size_t load = all.find("        for (uint j = item; j < filled; j += WG) {");
    const std::size_t at = all.rfind(barrier, load);
    if (load == std::string::npos || at == std::string::npos) throw std::runtime_error("no loop over tiles");
    return all.erase(at, barrier.size());
}

TEST_F(JudgeVerdicts, a_barrier_missing_between_tiles_is_found_whatever_their_size_is_in_the_text) {
    if (no_oclgrind()) GTEST_SKIP() << "oclgrind is not installed";
    const std::string pasted = pasted_without_barrier();
    // Guarded values of the pasted files are defaults.
    EXPECT_EQ(judge("particles", "target.tiled", pasted, {"--points", "70", "--planes", "3"}).code, 1);
    EXPECT_EQ(state("races"), "no");
    EXPECT_NE(finding("races").at("at").dump().find("TILE 32"), std::string::npos) << finding("races");
    // All sources of the usual problems are in one tile of this size.
    const Outcome fixed = judge("particles", "target.tiled", "#define TILE 128\n" + pasted,
                                {"--points", "70", "--planes", "3"});
    EXPECT_EQ(fixed.code, 1) << fixed.out;
    EXPECT_EQ(state("races"), "no") << fixed.out;
    EXPECT_NE(finding("races").at("at").dump().find("points 134, simulated"), std::string::npos)
        << finding("races");
}

TEST_F(JudgeVerdicts, races_are_not_known_where_no_simulation_passes_a_loop_twice) {
    if (no_oclgrind()) GTEST_SKIP() << "oclgrind is not installed";
    const Outcome outcome = judge("matmul", "column.local", {}, {"--size", "19", "--define", "STRIP=256"});
    EXPECT_EQ(outcome.code, 0) << outcome.out << outcome.err;
    EXPECT_EQ(state("races"), "unknown") << outcome.out;
    EXPECT_NE(outcome.out.find("with STRIP 256, each simulation got through its at most 19 elements in one "
                               "pass of a loop"),
              std::string::npos)
        << outcome.out;
    EXPECT_EQ(state("barriers"), "yes") << outcome.out;
    EXPECT_EQ(judge("matmul", "column.local", {}, {"--size", "19"}).code, 0);
    EXPECT_EQ(state("races"), "yes") << "no smaller step is allowed";
}

TEST_F(JudgeVerdicts, a_copy_is_compiled_as_the_shipped_kernel_with_its_files_included_or_pasted) {
    for (const auto& [analysis, variant, file, problem] :
         {std::array{"particles", "target.tiled", "gpu/particles/target_tiled.cl", "points 7"},
          std::array{"spots", "cooperative", "gpu/spots/tile/cooperative.cl", "height 31"}}) {
        std::vector<nlohmann::json> compiled;
        for (const bool pasted : {false, true}) {
            const std::string text = ks::gpu::kernel_text(file);
            judge(analysis, variant, pasted ? ks::gpu::resolve_includes(text) : text,
                  {"--no-simulation", "--only", problem});
            compiled.push_back(json_.at("runs").at(0).at("compiled"));
        }
        EXPECT_FALSE(compiled[0].empty());
        // Of the pasted files there are further ones, which the launch does not set.
        for (const auto& [name, value] : compiled[0].items())
            EXPECT_EQ(compiled[1].at(name), value) << variant << " " << name;
    }
}

TEST_F(JudgeVerdicts, races_between_groups_are_not_known_where_the_simulated_problem_is_one_group) {
    if (no_oclgrind()) GTEST_SKIP() << "oclgrind is not installed";
    // A group multiplies 4096 elements.
    const std::vector<std::string> large{"--define", "WG=256", "--define", "WIDTH=16"};
    const Outcome outcome = judge("multiply", "wide", {}, large);
    EXPECT_EQ(outcome.code, 0) << outcome.out << outcome.err;
    EXPECT_EQ(state("races"), "unknown") << outcome.out;
    EXPECT_NE(outcome.out.find("no simulation ran several work-groups of the kernel"), std::string::npos)
        << outcome.out;
    EXPECT_EQ(state("barriers"), "yes") << outcome.out;
    std::vector<std::string> several = large;
    several.insert(several.end(), {"--sizes", "8000"});
    EXPECT_EQ(judge("multiply", "wide", {}, several).code, 0);
    EXPECT_EQ(state("races"), "yes");
}

TEST_F(JudgeVerdicts, wide_vectors_that_are_put_together_are_no_fault) {
    if (no_oclgrind()) GTEST_SKIP() << "oclgrind is not installed";
    // Element 11 of a vector that is made of others is undefined to oclgrind 21.10.
    const Outcome outcome = judge("vector_add", "seed.add",
                                  addition("    float16 all = 0;\n"
                                           "    for (int k = 0; k < 16; ++k) ((float*)&all)[k] = k;\n"
                                           "    const float16 turned = all.s0123456789abcdef;\n"
                                           "    if (i < n) c[i] = turned.sb > 0 ? a[i] + b[i] : 0;\n"),
                                  {"--sizes", "9"});
    EXPECT_EQ(outcome.code, 0) << outcome.out;
    EXPECT_EQ(state("uninitialised"), "unknown") << outcome.out;
    EXPECT_NE(finding("uninitialised").at("text").get<std::string>().find("vectors of 8 or 16 elements"),
              std::string::npos)
        << outcome.out;
    EXPECT_EQ(state("values"), "yes");
}

TEST(JudgeOptions, local_sizes_of_a_variant_without_that_choice_are_refused_by_the_name_of_the_option) {
    const Outcome outcome = run_cli({"judge", "matmul", "--variant", "blocks.16", "--local-sizes", "32"});
    EXPECT_EQ(outcome.code, 2);
    EXPECT_EQ(outcome.err,
              "kernelscope-cli: blocks.16: this variant has no choice of local size; leave out "
              "--local-sizes\n");
}

TEST_F(JudgeVerdicts, memory_that_nobody_wrote_is_found_local_and_private) {
    if (no_oclgrind()) GTEST_SKIP() << "oclgrind is not installed";
    const Outcome of_local = judge("vector_add", "seed.add",
                                   addition("    local float cells[16];\n"
                                            "    const size_t l = get_local_id(0);\n"
                                            "    if (i < n) cells[l] = 1;\n"
                                            "    barrier(CLK_LOCAL_MEM_FENCE);\n"
                                            "    if (i < n) c[i] = a[i] + b[i] + 0 * cells[15 - l];\n"),
                                   {"--sizes", "20", "--local-sizes", "16"});
    EXPECT_EQ(of_local.code, 1) << of_local.out;
    EXPECT_NE(of_local.out.find("\nuninitialised: found, " + file_ + ":7: "), std::string::npos)
        << of_local.out;
    const Outcome of_private =
        judge("vector_add", "seed.add",
              addition("    float parts[8];\n"
                       "    for (int k = 0; k < 5; ++k) parts[k * 2 % 8] = a[i];\n"
                       "    if (i < n) c[i] = a[i] + b[i] + 0 * parts[(i + n) % 8];\n"),
              {"--sizes", "7"});
    EXPECT_EQ(of_private.code, 1) << of_private.out;
    EXPECT_NE(of_private.out.find("\nuninitialised: found, " + file_ + ":5: "), std::string::npos)
        << of_private.out;
}

TEST_F(JudgeVerdicts, an_address_against_the_alignment_of_its_type_is_named) {
    if (no_oclgrind()) GTEST_SKIP() << "oclgrind is not installed";
    const Outcome outcome = judge("vector_add", "seed.add",
                                  addition("    if (i + 5 > n) return;\n"
                                           "    c[i] = (*(global const float4*)(a + i)).x + b[i];\n"),
                                  {"--sizes", "40"});
    EXPECT_EQ(outcome.code, 1) << outcome.out;
    EXPECT_NE(outcome.out.find("\naccesses: found, " + file_ + ":4: Unaligned read"), std::string::npos)
        << outcome.out;
}

TEST_F(JudgeVerdicts, a_simulation_that_is_cut_says_of_nothing_that_it_is_right) {
    if (no_oclgrind()) GTEST_SKIP() << "oclgrind is not installed";
    const std::string slow = addition(
        "    float slow = a[i];\n"
        "    for (int k = 0; k < 3000000; ++k) slow = slow * 0.5f + 1;\n"
        "    if (i < n) c[i] = a[i] + b[i] + 0 * slow;\n");
    const std::vector<std::string> shortly{"--sizes", "20", "--simulation-limit", "2"};
    const Outcome outcome = judge("vector_add", "seed.add", slow, shortly);
    EXPECT_EQ(outcome.code, 0) << outcome.out << outcome.err;
    for (const char* id : {"values", "races", "accesses", "uninitialised", "barriers"}) {
        EXPECT_EQ(state(id), "unknown") << id;
        EXPECT_NE(outcome.out.find(std::string("\n") + id + ": not known, "), std::string::npos)
            << outcome.out;
    }
    EXPECT_EQ(last_line(outcome.out), "not known: values, races, accesses, uninitialised, barriers");
    std::vector<std::string> strictly = shortly;
    strictly.emplace_back("--strict");
    EXPECT_EQ(judge("vector_add", "seed.add", slow, strictly).code, 1);
}

TEST_F(JudgeVerdicts, recursion_private_memory_and_nan_are_named_as_causes) {
    const Outcome recursion = judge("vector_add", "seed.add",
                                    "float down(float v, int n) { return n == 0 ? v : down(v, n - 1); }\n" +
                                        addition("    if (i < n) c[i] = down(a[i], 3) + b[i];\n"));
    EXPECT_EQ(recursion.code, 1) << recursion.out;
    EXPECT_NE(recursion.out.find("\nbuilds: no, " + file_ + ":1: the function down calls itself"),
              std::string::npos)
        << recursion.out;
    const Outcome large = judge("vector_add", "seed.add",
                                addition("    volatile float large[1 << 24];\n"
                                         "    for (int k = 0; k < 1 << 24; k += 1024) large[k] = a[i];\n"
                                         "    if (i < n) c[i] = large[1024] + b[i];\n"),
                                {"--sizes", "64"});
    EXPECT_EQ(large.code, 1) << large.out;
    EXPECT_NE(
        large.out.find("each work-item has 64 MiB of private memory, for example `large` at " + file_ + ":3"),
        std::string::npos)
        << large.out;
    EXPECT_EQ(state("races"), "unknown");
    const Outcome of_a_group = judge("vector_add", "seed.add",
                                     addition("    volatile float own[512];\n"
                                              "    for (int k = 0; k < 512; ++k) own[k] = a[i];\n"
                                              "    if (i == 0) *(volatile global int*)0 = 1;\n"
                                              "    if (i < n) c[i] = own[7] + b[i];\n"),
                                     {"--sizes", "64", "--no-simulation"});
    EXPECT_NE(of_a_group.out.find("each work-item has 2 KiB of private memory, for example `own` at " +
                                  file_ + ":3"),
              std::string::npos)
        << of_a_group.out;
    const Outcome nan =
        judge("vector_add", "seed.add", addition("    if (i < n) c[i] = i == 3 ? NAN : a[i] + b[i];\n"),
              {"--sizes", "20", "--no-simulation"});
    EXPECT_NE(nan.out.find("1 of 20 values is NaN, the first at element 3"), std::string::npos) << nan.out;
}

TEST_F(JudgeVerdicts, private_memory_is_that_of_the_values_which_the_text_is_compiled_with) {
    // DECIDE_WG is called WG in this text; the definition WG of the variant is that of another program.
    const std::string text =
        ks::gpu::kernel_text("gpu/spots/sliding/exact_integer.cl") +
        "\nvoid unused(void);\nvoid unused(void) {\n    volatile float own[WG * 4096];\n    own[0] = 1;\n}\n";
    const Outcome outcome =
        judge("spots", "exact.integer", text, {"--define", "DECIDE_WG=256", "--define", "WG=32"});
    EXPECT_NE(outcome.out.find("each work-item has 4 MiB of private memory, for example `own` at " + file_),
              std::string::npos)
        << outcome.out;
}

TEST_F(JudgeVerdicts, a_product_that_is_added_to_what_c_held_is_wrong) {
    const auto product = [](const std::string& assigned) {
        return "kernel void multiply(const uint n, global const float* a, global const float* b,\n"
               "                     global float* c) {\n"
               "    const size_t i = get_global_id(0), j = get_global_id(1);\n"
               "    float sum = 0;\n"
               "    for (size_t k = 0; k < n; ++k) sum += a[i * n + k] * b[k * n + j];\n"
               "    c[i * n + j] " +
               assigned + " sum;\n}\n";
    };
    const std::vector<std::string> sizes{"--sizes", "17", "--no-simulation"};
    EXPECT_EQ(judge("matmul", "private.sum", product("+="), sizes).code, 1);
    EXPECT_EQ(state("values"), "no");
    EXPECT_EQ(judge("matmul", "private.sum", product("="), sizes).code, 0);
    // This variant sets C to 0 before.
    EXPECT_EQ(judge("matmul", "global.accumulate", product("+="), sizes).code, 0);
}

/// A scan whose device may run groups of one work-item, which have a branch of their own.
std::string scan_with(const std::string& before, const std::string& statement) {
    std::string text = ks::gpu::kernel_text("gpu/basics/scan/three_passes.cl");
    const std::size_t at = text.find(before);
    EXPECT_NE(at, std::string::npos) << before;
    return at == std::string::npos ? text : text.insert(at, statement);
}

TEST_F(JudgeVerdicts, the_branch_that_the_device_runs_is_simulated_as_well_and_both_are_named) {
    if (no_oclgrind()) GTEST_SKIP() << "oclgrind is not installed";
    // Every group writes what is there already: the values are right.
    const std::string of_one_item = scan_with("    ulong i = group * chunk;\n", "    of_chunks_[0] = 0;\n");
    std::string racing = of_one_item;
    const std::string constant = "global const uint* of_chunks,\n                      global uint* c) {\n";
    const std::size_t first = racing.find(constant, racing.find("#if WG == 1"));
    ASSERT_NE(first, std::string::npos);
    racing.insert(first + constant.size(), "    global uint* const of_chunks_ = (global uint*)of_chunks;\n");
    const Outcome found = judge("scan", "three_passes", racing, {"--sizes", "3000"});
    const std::string compiled = json_.at("runs").at(0).at("compiled").at("WG");
    if (compiled != "1") GTEST_SKIP() << "this device runs groups of " << compiled;
    EXPECT_EQ(found.code, 1) << found.out;
    EXPECT_EQ(state("races"), "no") << found.out;
    EXPECT_EQ(finding("races").at("at"),
              nlohmann::json::array({"WG 1, size 3000, simulated as on the device"}))
        << found.out;
    // A barrier that only larger groups need is missed, too.
    std::string unguarded = scan_with("", "");
    const std::string barrier = "        to[item] = sum;\n        barrier(CLK_LOCAL_MEM_FENCE);\n";
    const std::size_t at = unguarded.find(barrier);
    ASSERT_NE(at, std::string::npos);
    unguarded.replace(at, barrier.size(), "        to[item] = sum;\n");
    const Outcome other = judge("scan", "three_passes", unguarded, {"--sizes", "3000"});
    EXPECT_EQ(state("races"), "no") << other.out;
    EXPECT_EQ(finding("races").at("at"),
              nlohmann::json::array({"WG 256, size 3000, simulated", "WG 16, size 3000, simulated"}))
        << other.out;
    const Outcome right = judge("scan", "three_passes", {}, {"--sizes", "3000"});
    EXPECT_EQ(right.code, 0) << right.out << right.err;
    EXPECT_EQ(state("races"), "yes") << right.out;
    EXPECT_NE(right.out.find("with: ITEMS 4\n"), std::string::npos) << right.out;
    EXPECT_NE(right.out.find("on the device: WG 1, size 3000\n"), std::string::npos) << right.out;
    EXPECT_NE(right.out.find("under oclgrind: WG 256, size 3000, simulated; WG 1, size 3000, simulated as on "
                             "the device; WG 16, size 3000, simulated\n"),
              std::string::npos)
        << right.out;
}

TEST_F(JudgeVerdicts, a_kernel_that_only_the_simulator_refuses_is_not_known_with_its_first_error) {
    if (no_oclgrind()) GTEST_SKIP() << "oclgrind is not installed";
    const std::string source = addition("    if (i < n) c[i] = a[i] + b[i];\n") +
                               "#ifdef __SPIR__\n#error not for simulators\n#endif\n";
    const auto line = std::count(source.begin(), source.begin() + source.find("#error"), '\n') + 1;
    const std::string refused =
        fmt::format("the simulator's compiler refused the kernel: {}:{}: ", file_, line);
    const Outcome outcome = judge("vector_add", "seed.add", source, {"--sizes", "9"});
    EXPECT_EQ(outcome.code, 0) << outcome.out << outcome.err;
    EXPECT_EQ(state("builds"), "yes") << outcome.out;
    for (const char* id : {"values", "races", "accesses", "uninitialised", "barriers"})
        EXPECT_EQ(finding(id).at("text").get<std::string>().find(refused), 0U) << finding(id) << outcome.out;
    EXPECT_NE(outcome.err.find("not for simulators"), std::string::npos) << outcome.err;
    EXPECT_NE(json_.at("simulator_log").get<std::string>().find("not for simulators"), std::string::npos);
    EXPECT_EQ(judge("vector_add", "seed.add", source, {"--sizes", "9", "--strict"}).code, 1);
    // What no compiler takes does not build.
    EXPECT_EQ(judge("vector_add", "seed.add", addition("    c[i] = d[i];\n"), {"--sizes", "9"}).code, 1);
    EXPECT_EQ(state("builds"), "no");
}

TEST_F(JudgeVerdicts, the_local_size_is_named_also_where_the_driver_chooses_it) {
    const std::string right = addition("    if (i < n) c[i] = a[i] + b[i];\n");
    const Outcome by_driver = judge("vector_add", "seed.add", right, {"--sizes", "9", "--no-simulation"});
    EXPECT_NE(by_driver.out.find("with: local_size left to the driver\n"), std::string::npos)
        << by_driver.out;
    const Outcome given =
        judge("vector_add", "seed.add", right, {"--sizes", "9", "--local-size=64", "--no-simulation"});
    EXPECT_NE(given.out.find("with: local_size 64\n"), std::string::npos) << given.out;
    EXPECT_EQ(json_.at("choices"), "local_size 64");
    // Ranges are whole groups.
    const Outcome range =
        judge("index_space", "write.ids", {}, {"--local-x", "12", "--local-y", "5", "--no-simulation"});
    EXPECT_EQ(range.code, 0) << range.out << range.err;
    EXPECT_EQ(range.out.find("not taken"), std::string::npos) << range.out;
    EXPECT_NE(range.out.find("global_x 48, global_y 20"), std::string::npos) << range.out;
}

TEST_F(JudgeVerdicts, values_that_the_host_does_not_know_are_not_known) {
    const std::vector<std::string> squares{"--map-expression", "square(x[i])", "--preamble",
                                           "float square(float v) { return v * v; }", "--no-simulation"};
    const Outcome outcome = judge("expression", "map.reduce", "", squares);
    EXPECT_EQ(outcome.code, 0) << outcome.out << outcome.err;
    EXPECT_EQ(state("values"), "unknown");
    EXPECT_NE(outcome.out.find("\nvalues: not known, the host can only evaluate"), std::string::npos)
        << outcome.out;
}

}  // namespace judge_verdicts_test
