// Kernels of the user's own that end their process, do not end, or print: a run says so in one sentence, and
// of a benchmark or a tuning the rest goes on.

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "tests/app/cli_process.h"
#include "tests/core/run/own_cache.h"

namespace own_kernels_test {

using ks::tests::Outcome;
using ks::tests::read_file;
using ks::tests::run_cli;
using ks::tests::TemporaryFolder;
using Arguments = std::vector<std::string>;

const std::string signature =
    "kernel void multiply(const uint n, global const float* a, global const float* b, global float* c) {\n"
    "    const uint row = get_global_id(0), column = get_global_id(1);\n";
const std::string product =
    "    float sum = 0;\n    for (uint k = 0; k < n; ++k) sum += a[row * n + k] * b[k * n + column];\n"
    "    c[row * n + column] = sum;\n";

class OwnKernels : public testing::Test {
  protected:
    void SetUp() override {
        if (run_cli({"matmul", "--size", "4", "--device", "0"}).code != 0) GTEST_SKIP() << "no OpenCL device";
    }
    void write(const std::string& name, const std::string& base, const std::string& text) const {
        std::filesystem::create_directories(own_.path() / "matmul");
        std::ofstream(own_.path() / "matmul" / (name + ".cl"), std::ios::binary)
            << "// kernelscope variant\n// base: " << base << "\n\n"
            << text;
    }
    /// Writes far outside of C.
    void write_broken() const {
        write("broken", "private.sum", signature + product + "    c[((size_t)1 << 42) + row] = sum;\n}\n");
    }
    nlohmann::json report() const { return nlohmann::json::parse(read_file(folder_ / "x.json")); }
    static nlohmann::json row(const nlohmann::json& report, const std::string& id) {
        for (const auto& one : report.at("variants"))
            if (one.at("id") == id) return one;
        ADD_FAILURE() << "no row " << id;
        return {};
    }
    /// Of the program, in one line.
    static void expect_one_sentence(const Outcome& outcome, const std::string& part) {
        EXPECT_EQ(outcome.code, 1) << outcome.err;
        const std::size_t at = outcome.err.find("kernelscope-cli: ");
        ASSERT_NE(at, std::string::npos) << outcome.err;
        EXPECT_NE(outcome.err.find(part, at), std::string::npos) << outcome.err;
        EXPECT_EQ(std::ranges::count(outcome.err.substr(at), '\n'), 1) << outcome.err;
    }

    ks::tests::OwnCache own_{"KERNELSCOPE_VARIANTS"};
    TemporaryFolder folder_;
};

TEST_F(OwnKernels, no_output_takes_the_place_of_a_kernel_or_of_what_it_includes) {
    write("mine", "private.sum", "#include \"part.h\"\n" + signature + product + "}\n");
    const std::string kernel = (own_.path() / "matmul/mine.cl").string(),
                      part = (own_.path() / "matmul/part.h").string(), elsewhere = folder_ / "plain.cl",
                      beside = folder_ / "beside.h";
    for (const std::string& file : {part, beside}) std::ofstream(file) << "#define UNUSED 1\n";
    std::ofstream(elsewhere) << "#include \"beside.h\"\n" << signature << product << "}\n";
    const std::vector<std::string> own{"--variant", "user.mine"},
        given{"--variant", "private.sum", "--kernel-source", elsewhere};
    const auto refused = [&](std::vector<std::string> arguments, const std::vector<std::string>& kernels,
                             const std::string& option, const std::string& file) {
        const std::string before = read_file(file);
        arguments.insert(arguments.end(), kernels.begin(), kernels.end());
        arguments.insert(arguments.end(), {option, file, "--overwrite"});
        const Outcome outcome = run_cli(arguments);
        EXPECT_EQ(outcome.code, 2) << option << ' ' << file << ": " << outcome.err;
        EXPECT_NE(outcome.err.find("would replace"), std::string::npos) << outcome.err;
        EXPECT_EQ(read_file(file), before);
    };
    for (const std::string& file : {kernel, part}) {
        for (const char* option : {"--out", "--csv"}) refused({"matmul", "--size", "4"}, own, option, file);
        refused({"bench", "matmul", "--size", "4", "--repeat", "1", "--variants", "user.mine"}, {}, "--json",
                file);
        refused({"judge", "matmul"}, own, "--json", file);
        refused({"assembly", "matmul"}, own, "--out", file);
    }
    for (const std::string& file : {elsewhere, beside}) {
        refused({"matmul", "--size", "4"}, given, "--out", file);
        refused({"judge", "matmul"}, given, "--json", file);
    }
}

// "What is given comes before the text": a value in a guarded line that is not used is not asked about.
TEST_F(OwnKernels, a_definition_of_the_header_replaces_one_that_the_variant_would_refuse) {
    std::string text = read_file(KERNELSCOPE_SOURCE_DIR "/gpu/basics/matmul/panels_cpu.cl");
    const std::string line = "#define ROWS 8";
    ASSERT_NE(text.find(line), std::string::npos);
    text.replace(text.find(line), line.size(), "#define ROWS 2");
    const std::vector<std::string> run{"matmul", "--size", "40", "--variant", "user.rows", "--check", "full"};
    write("rows", "panels.cpu", text);
    const Outcome refused = run_cli(run);
    EXPECT_EQ(refused.code, 2) << refused.out;
    EXPECT_NE(refused.err.find("found \"2\""), std::string::npos) << refused.err;
    std::vector<std::string> given = run;
    given.insert(given.end(), {"--define", "ROWS=6"});
    write("rows", "panels.cpu\n// define: ROWS=6", text);
    for (const std::vector<std::string>& way : {given, run}) {
        const Outcome outcome = run_cli(way);
        EXPECT_EQ(outcome.code, 0) << outcome.err;
        EXPECT_NE(outcome.out.find("ROWS=6"), std::string::npos) << outcome.out;
        EXPECT_NE(outcome.err.find("instead of 2"), std::string::npos) << outcome.err;
    }
}

// As the file runs as one of your kernels, so does it with --kernel-source.
TEST_F(OwnKernels, a_replacing_source_has_definitions_of_its_own) {
    const std::string file = folder_ / "tunable.cl";
    std::ofstream(file) << "#ifndef UNROLL\n#define UNROLL 2\n#endif\n" << signature << product << "}\n";
    const std::vector<std::string> with{"--variant", "private.sum", "--kernel-source",
                                        file,        "--define",    "UNROLL=7"};
    std::vector<std::string> run{"matmul", "--size", "16"}, judge{"judge", "matmul", "--no-simulation"};
    for (std::vector<std::string>* const command : {&run, &judge})
        command->insert(command->end(), with.begin(), with.end());
    const Outcome made = run_cli(run), judged = run_cli(judge);
    EXPECT_EQ(made.code, 0) << made.err;
    EXPECT_NE(made.out.find("UNROLL=7"), std::string::npos) << made.out;
    EXPECT_EQ(judged.code, 0) << judged.err << judged.out;
}

TEST_F(OwnKernels, one_with_the_text_of_its_base_costs_a_run_little_more) {
    write("same", "private.sum", signature + product + "}\n");
    // A folder of many kernels, none of which is timed.
    for (int i = 0; i < 40; ++i)
        write("other-" + std::to_string(i), "private.sum", signature + product + "}\n");
    const Outcome outcome = run_cli({"bench", "matmul", "--size", "16", "--device", "0", "--repeat", "20",
                                     "--variants", "private.sum,user.same", "--json", folder_ / "x.json"});
    ASSERT_EQ(outcome.code, 0) << outcome.err;
    const auto shortest = [this](const std::string& id) {
        double least = HUGE_VAL;
        const nlohmann::json of = row(report(), id);
        for (const auto& sample : of.at("samples")) {
            double own = 0;
            for (const auto& stage : sample.at("stages"))
                for (const char* name : {"check request", "choose variant", "find kernels"})
                    if (stage.at("stage") == name) own += stage.at("nanoseconds").get<double>();
            least = std::min(least, own);
        }
        return least;
    };
    // Listing the folder alone took longer.
    EXPECT_LT(shortest("user.same"), shortest("private.sum") + 80e3);
}

TEST_F(OwnKernels, one_that_ends_its_process_costs_a_benchmark_one_row) {
    write_broken();
    const Outcome outcome =
        run_cli({"bench", "matmul", "--size", "100", "--device", "0", "--repeat", "2", "--variants",
                 "blocks.16,user.broken,private.sum", "--json", folder_ / "x.json"});
    expect_one_sentence(outcome, "the kernel multiply crashed its process");
    EXPECT_NE(outcome.err.find("user.broken"), std::string::npos) << outcome.err;
    EXPECT_NE(outcome.out.find("crashed its process"), std::string::npos) << outcome.out;
    for (const char* id : {"blocks.16", "private.sum"}) {
        EXPECT_EQ(row(report(), id).at("samples").size(), 2U) << id;
        EXPECT_EQ(row(report(), id).at("verdict").at("state"), "pass") << id;
    }
    const nlohmann::json broken = row(report(), "user.broken");
    EXPECT_TRUE(broken.at("samples").empty());
    EXPECT_NE(broken.at("not_run").get<std::string>().find("illegal access to memory"), std::string::npos)
        << broken.at("not_run");
}

TEST_F(OwnKernels, one_that_does_not_compile_is_reported_with_the_messages_of_the_compiler) {
    write("wrong", "private.sum", signature + product + "    undeclared_thing = 1;\n}\n");
    const Outcome outcome = run_cli({"bench", "matmul", "--size", "20", "--device", "0", "--repeat", "2",
                                     "--variants", "user.wrong,private.sum", "--json", folder_ / "x.json"});
    EXPECT_EQ(outcome.code, 2) << outcome.err;
    EXPECT_NE(outcome.err.find("undeclared_thing"), std::string::npos) << outcome.err;
    EXPECT_EQ(row(report(), "private.sum").at("samples").size(), 2U);
    EXPECT_FALSE(row(report(), "private.sum").contains("details"));
    EXPECT_NE(row(report(), "user.wrong").at("details").get<std::string>().find("undeclared_thing"),
              std::string::npos);
}

TEST_F(OwnKernels, a_run_says_whose_text_it_compiled) {
    const std::string file = folder_ / "mine.cl";
    std::ofstream(file) << signature << product << "}\n";
    const Arguments run{"matmul", "--size", "20", "--device", "0", "--variant", "private.sum"};
    Arguments own = run, record = run;
    own.insert(own.end(), {"--kernel-source", file});
    EXPECT_NE(run_cli(own).out.find("private.sum, other source "), std::string::npos);
    EXPECT_NE(run_cli(run).out.find("private.sum on "), std::string::npos);
    own.emplace_back("--json");
    record.emplace_back("--json");
    const nlohmann::json with = nlohmann::json::parse(run_cli(own).out);
    EXPECT_EQ(with.at("text_mark").get<std::string>().size(), 6U);
    EXPECT_EQ(with.at("kernel_file"), file);
    EXPECT_FALSE(nlohmann::json::parse(run_cli(record).out).contains("text_mark"));
}

TEST_F(OwnKernels, the_table_has_the_messages_of_each_that_does_not_compile_once) {
    for (const char* name : {"one", "two"})
        write(name, "private.sum", signature + product + "    undeclared_" + name + " = 1;\n}\n");
    const auto times = [](const std::string& text, const std::string& part) {
        std::size_t found = 0;
        for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++found;
        return found;
    };
    const Outcome none =
        run_cli({"bench", "matmul", "--size", "20", "--device", "0", "--variants", "user.one,user.two"});
    EXPECT_EQ(none.code, 2) << none.err;
    for (const char* name : {"one", "two"})
        EXPECT_EQ(times(none.out, std::string("'undeclared_") + name), 1U) << none.out;
    // At a second size they are the same messages.
    const Outcome sizes = run_cli({"bench", "matmul", "--size", "20,30", "--device", "0", "--repeat", "1",
                                   "--variants", "user.one,private.sum,user.two"});
    EXPECT_EQ(sizes.code, 2) << sizes.err;
    EXPECT_EQ(times(sizes.out, "does not build"), 4U) << sizes.out;
    for (const char* name : {"one", "two"})
        EXPECT_EQ(times(sizes.out, std::string("'undeclared_") + name), 1U) << sizes.out;
}

TEST_F(OwnKernels, a_baseline_with_given_definitions_is_none) {
    const Arguments bench{"bench",    "particles", "--points", "100", "--targets",  "100",
                          "--device", "0",         "--repeat", "1",   "--variants", "seed.block,vector.cpu"};
    EXPECT_NE(run_cli(bench).out.find("vs seed.block"), std::string::npos);
    Arguments given = bench;
    given.insert(given.end(), {"--define", "TARGETS=1", "--json", folder_ / "x.json"});
    const Outcome outcome = run_cli(given);
    EXPECT_EQ(outcome.out.find("vs seed.block"), std::string::npos) << outcome.out;
    EXPECT_NE(outcome.out.find("no baseline: --define"), std::string::npos) << outcome.out;
    EXPECT_EQ(row(report(), "seed.block").at("given").at("TARGETS"), "1");
}

TEST_F(OwnKernels, one_that_fails_costs_the_others_no_comparison_with_a_baseline) {
    write_broken();
    const Arguments bench{"bench", "matmul", "--size", "20", "--device", "0", "--repeat", "1", "--variants"};
    Arguments before = bench, after = bench;
    before.insert(before.end(), {"private.sum", "--json", folder_ / "before.json"});
    ASSERT_EQ(run_cli(before).code, 0);
    after.insert(after.end(), {"user.broken,private.sum", "--baseline", folder_ / "before.json"});
    const Outcome outcome = run_cli(after);
    EXPECT_EQ(outcome.code, 1);
    EXPECT_NE(outcome.out.find("before.json"), std::string::npos) << outcome.out;
    EXPECT_NE(outcome.err.find("user.broken"), std::string::npos) << outcome.err;
}

TEST_F(OwnKernels, a_write_beside_a_buffer_is_named_in_the_row) {
    write("beside", "private.sum", signature + product + "    if (row == 0) c[n * n + 3] = sum;\n}\n");
    const Outcome outcome = run_cli({"bench", "matmul", "--size", "20", "--device", "0", "--repeat", "1",
                                     "--variants", "user.beside,private.sum"});
    expect_one_sentence(outcome, "the kernel multiply wrote");
    EXPECT_EQ(outcome.out.find("private.sum  not run"), std::string::npos) << outcome.out;
}

TEST_F(OwnKernels, one_that_does_not_end_is_ended_at_the_limit) {
    write("endless", "private.sum",
          signature + "    volatile global float* at = c;\n    while (n > 0) at[1] = 0;\n}\n");
    const Outcome outcome =
        run_cli({"bench", "matmul", "--size", "20", "--device", "0", "--repeat", "1", "--time-limit", "1",
                 "--variants", "user.endless,private.sum", "--json", folder_ / "x.json"});
    expect_one_sentence(outcome, "the kernel multiply did not finish within 1 s");
    EXPECT_EQ(row(report(), "private.sum").at("samples").size(), 1U);
}

TEST_F(OwnKernels, what_one_prints_stands_on_standard_error) {
    write("loud", "private.sum", signature + "    printf(\"flood %u\\n\", row);\n" + product + "}\n");
    const Outcome bench = run_cli({"bench", "matmul", "--size", "20", "--device", "0", "--repeat", "1",
                                   "--variants", "user.loud,private.sum", "--json", folder_ / "x.json"});
    EXPECT_EQ(bench.code, 0) << bench.err.substr(bench.err.size() -
                                                 std::min<std::size_t>(400, bench.err.size()));
    EXPECT_EQ(bench.out.find("flood"), std::string::npos);
    EXPECT_NE(bench.err.find("flood 19"), std::string::npos);
    EXPECT_EQ(row(report(), "user.loud").at("samples").size(), 1U);
    const Outcome run =
        run_cli({"matmul", "--size", "20", "--device", "0", "--variant", "user.loud", "--json"});
    EXPECT_EQ(run.code, 0);
    EXPECT_EQ(nlohmann::json::parse(run.out).at("variant"), "user.loud");
}

/// What stays of a flood, and what is said of the rest.
TEST_F(OwnKernels, a_flood_is_cut_with_a_word_and_json_stays_json) {
    // 100 x 100 lines of 25 bytes or so.
    write("flood", "private.sum",
          signature + "    printf(\"flood of row %u column %u\\n\", row, column);\n" + product + "}\n");
    const Outcome run =
        run_cli({"matmul", "--size", "100", "--device", "0", "--variant", "user.flood", "--json"});
    EXPECT_EQ(run.code, 0) << run.err.substr(0, 400);
    EXPECT_EQ(nlohmann::json::parse(run.out).at("variant"), "user.flood");
    EXPECT_LT(run.err.size(), 70'000U);
    EXPECT_TRUE(run.err.starts_with("user.flood printed:\nflood of row ")) << run.err.substr(0, 200);
    const std::size_t last = run.err.rfind("... and ");
    ASSERT_NE(last, std::string::npos);
    EXPECT_NE(run.err.find(" more lines (", last), std::string::npos) << run.err.substr(last);
    // All lines are there, or counted.
    const auto shown = static_cast<std::size_t>(std::ranges::count(run.err, '\n')) - 2;
    EXPECT_EQ(shown + std::stoul(run.err.substr(last + 8)), 10'000U);
}

TEST_F(OwnKernels, of_eight_that_are_timed_five_are_measured_and_three_say_why_not) {
    write_broken();
    write("endless", "private.sum",
          signature + "    volatile global float* at = c;\n    while (n > 0) at[1] = 0;\n}\n");
    write("flood", "private.sum",
          signature +
              "    for (int i = 0; i < 9; ++i) printf(\"flood of row %u column %u\\n\", row, column);\n" +
              product + "}\n");
    write("right", "private.sum", signature + product + "}\n");
    const Outcome outcome = run_cli(
        {"bench", "matmul", "--size", "30", "--device", "0", "--repeat", "2", "--time-limit", "6",
         "--variants",
         "user.broken,blocks.16,user.endless,private.sum,user.flood,user.right,row.item,host.reference",
         "--json", folder_ / "x.json"});
    EXPECT_EQ(outcome.code, 1);
    const nlohmann::json all = report();
    std::size_t measured = 0;
    for (const auto& one : all.at("variants")) {
        const std::string id = one.at("id");
        const auto why = one.value("not_run", std::string());
        const std::string wanted = id == "user.broken"    ? "crashed its process"
                                   : id == "user.endless" ? "did not finish within 6 s"
                                   : id == "user.flood"   ? "bytes in one run"
                                                          : "";
        EXPECT_EQ(why.empty(), wanted.empty()) << id << ": " << why;
        EXPECT_NE(why.find(wanted), std::string::npos) << id << ": " << why;
        EXPECT_EQ(one.at("samples").size(), wanted.empty() ? 2U : 0U) << id;
        measured += one.at("samples").size() == 2 && one.at("verdict").at("state") == "pass" ? 1 : 0;
    }
    EXPECT_EQ(all.at("variants").size(), 8U);
    EXPECT_EQ(measured, 5U);
    EXPECT_EQ(outcome.out.find("flood of row"), std::string::npos);
    EXPECT_NE(outcome.err.find("flood of row"), std::string::npos);
}

TEST_F(OwnKernels, launches_alone_go_on_in_a_new_process_where_one_ends_it) {
    write_broken();
    write("right", "private.sum", signature + product + "}\n");
    const Outcome outcome =
        run_cli({"bench", "matmul", "--size", "30", "--device", "0", "--repeat", "4", "--kernels-only",
                 "--variants", "user.right,user.broken,private.sum", "--json", folder_ / "x.json"});
    EXPECT_EQ(outcome.code, 1);
    for (const char* id : {"user.right", "private.sum"})
        EXPECT_EQ(row(report(), id).at("samples").size(), 4U) << id << outcome.out;
    EXPECT_NE(row(report(), "user.broken").at("not_run").get<std::string>().find("crashed its process"),
              std::string::npos);
}

TEST_F(OwnKernels, few_repeats_order_nothing_however_far_apart_kernels_are) {
    write("one", "private.sum", signature + product + "}\n");
    write("slow", "private.sum",
          signature + "    for (volatile int i = 0; i < 20000; ++i) c[0] = i;\n" + product + "}\n");
    for (const auto& [repeats, needed] : {std::pair("1", true), {"5", true}, {"9", true}, {"10", false}}) {
        const Outcome outcome = run_cli(
            {"bench", "matmul", "--size", "16", "--device", "0", "--repeat", repeats, "--check", "none",
             "--variants", "user.one,user.slow,private.sum", "--json", folder_ / "x.json", "--overwrite"});
        ASSERT_EQ(outcome.code, 0) << outcome.err;
        EXPECT_EQ(outcome.out.find("at least 10 repeats are needed") != std::string::npos, needed)
            << outcome.out;
        EXPECT_EQ(report().at("ranks_need_repeats"), needed ? nlohmann::json(10) : nlohmann::json());
        if (!needed) continue;
        for (const char* rank : {"rank_kernel", "rank_total"})
            for (const char* id : {"user.one", "user.slow", "private.sum"})
                EXPECT_EQ(row(report(), id).at(rank), (nlohmann::json{1, 3})) << id << repeats;
    }
}

TEST_F(OwnKernels, a_single_run_ends_in_one_sentence_whether_it_is_a_variant_or_a_source) {
    write_broken();
    const std::vector<std::string> run{"matmul", "--size", "100", "--device", "0"};
    const auto with = [&run](std::vector<std::string> more) {
        more.insert(more.begin(), run.begin(), run.end());
        return more;
    };
    expect_one_sentence(run_cli(with({"--variant", "user.broken"})),
                        "the kernel multiply crashed its process");
    const std::string source = (own_.path() / "matmul/broken.cl").string();
    expect_one_sentence(run_cli(with({"--variant", "private.sum", "--kernel-source", source})),
                        "the kernel multiply crashed its process");
    write("right", "private.sum", signature + product + "}\n");
    const Outcome right =
        run_cli(with({"--variant", "user.right", "--check", "full", "--out", folder_ / "r.h5"}));
    EXPECT_EQ(right.code, 0) << right.err;
    EXPECT_NE(right.out.find("check: pass"), std::string::npos) << right.out;
    EXPECT_EQ(run_cli({"repeat", folder_ / "r.h5"}).code, 0);
}

TEST_F(OwnKernels, a_tuning_goes_past_a_value_that_ends_the_process) {
    const std::string text =
        "#ifndef WG\n#define WG 64\n#endif\n"
        "kernel void multiply(const uint n, global const float* a, global const float* b,\n"
        "                     global float* c, const uint from, const uint to) {\n"
        "    const uint row = get_global_id(0);\n"
        "#if WG == 32\n    c[((size_t)1 << 42) + row] = 1;\n#endif\n"
        "    if (row >= n) return;\n"
        "    for (uint column = from; column < to; ++column) {\n" +
        product + "    }\n}\n";
    write("tuned", "row.item", text);
    const std::vector<std::string> tune{"tune",   "matmul",           "--size",  "20",        "--device",
                                        "0",      "--repeat",         "1",       "--variant", "user.tuned",
                                        "--json", folder_ / "x.json", "--space", "WG=16,32,1"};
    for (const char* time : {"at first", "resumed"}) {
        const Outcome outcome = run_cli(tune);
        EXPECT_EQ(outcome.code, 0) << time << ": " << outcome.err;
        std::size_t timed = 0, ended = 0;
        const nlohmann::json tuning = report();
        for (const auto& one : tuning.at("rows")) {
            const std::string why = one.at("not_timed");
            if (one.at("defines").at("WG") == "32") {
                EXPECT_NE(why.find("crashed its process"), std::string::npos) << why;
                ++ended;
            } else {
                EXPECT_EQ(why, "") << one.dump();
                ++timed;
            }
        }
        EXPECT_EQ(timed, 2U) << time;
        EXPECT_EQ(ended, 1U) << time;
    }
}

TEST_F(OwnKernels, a_definition_of_its_text_alone_is_tuned_and_failures_are_passed_when_it_goes_on) {
    // Its base has no CASE. 1 to 5 are right, 6 ends the process, 7 does not end, 8 floods.
    write("cases", "private.sum",
          "#ifndef CASE\n#define CASE 1\n#endif\n#define NOT_FREE 3\n" + signature +
              "#if CASE == 6\n    c[((size_t)1 << 42) + row] = 1;\n"
              "#elif CASE == 7\n    volatile global float* at = c;\n    while (n > 0) at[1] = 0;\n"
              "#elif CASE == 8\n    for (int i = 0; i < 9; ++i) printf(\"flood of %u %u %u\\n\", row, "
              "column, i);\n"
              "#endif\n" +
              product + "}\n");
    const std::vector<std::string> tune{"tune",         "matmul",
                                        "--size",       "30",
                                        "--device",     "0",
                                        "--repeat",     "1",
                                        "--time-limit", "6",
                                        "--variant",    "user.cases",
                                        "--json",       folder_ / "x.json",
                                        "--space",      "CASE=1,2,3,4,5,6,7,8"};
    for (const char* time : {"at first", "resumed"}) {
        const Outcome outcome = run_cli(tune);
        EXPECT_EQ(outcome.code, 0) << time << ": " << outcome.err.substr(0, 400);
        const nlohmann::json tuning = report();
        EXPECT_EQ(tuning.at("default").at("defines").at("CASE"), "1");
        std::size_t timed = 1;  // the default
        for (const auto& one : tuning.at("rows")) {
            const std::string value = one.at("defines").at("CASE"), why = one.at("not_timed");
            const std::string wanted = value == "6"   ? "crashed its process"
                                       : value == "7" ? "did not finish within 6 s"
                                       : value == "8" ? "bytes in one run"
                                                      : "";
            EXPECT_EQ(why.empty(), wanted.empty()) << value << ": " << why;
            EXPECT_NE(why.find(wanted), std::string::npos) << value << ": " << why;
            timed += why.empty() && one.at("tried_ns").size() == 3 ? 1 : 0;
        }
        EXPECT_EQ(tuning.at("rows").size(), 7U) << time;
        EXPECT_EQ(timed, 5U) << time;
        EXPECT_EQ(outcome.out.find("flood of"), std::string::npos);
    }
    // What a run is given is what it is compiled with.
    const Outcome run =
        run_cli({"matmul", "--size", "30", "--device", "0", "--variant", "user.cases", "--define", "CASE=3"});
    EXPECT_NE(run.out.find("compiled with CASE=3"), std::string::npos) << run.out << run.err;
    const Outcome unknown = run_cli({"tune", "matmul", "--size", "30", "--device", "0", "--variant",
                                     "user.cases", "--space", "NOT_FREE=1,2"});
    EXPECT_EQ(unknown.code, 2);
}

TEST_F(OwnKernels, definitions_of_two_programs_are_told_by_their_own_names) {
    std::filesystem::create_directories(own_.path() / "spots");
    const std::string frames = folder_ / "frames.h5";
    ASSERT_EQ(
        run_cli({"generate", "spots", "--out", frames, "--frames", "1", "--height", "150", "--width", "160"})
            .code,
        0);
    const auto compiled = [&](const std::string& text, const std::vector<std::string>& given) {
        std::ofstream(own_.path() / "spots/mine.cl", std::ios::binary)
            << "// kernelscope variant\n// base: exact.integer\n\n"
            << text << "#define SOFT 1\n#include \"gpu/spots/sliding/decide.cl\"\n";
        std::vector<std::string> arguments{"spots", frames, "--device", "0", "--variant", "user.mine"};
        for (const std::string& one : given) arguments.insert(arguments.end(), {"--define", one});
        const Outcome run = run_cli(arguments);
        EXPECT_EQ(run.code, 0) << run.err;
        const std::size_t at = run.out.find("compiled with");
        return at == std::string::npos ? run.out : run.out.substr(at, run.out.find('\n', at) - at);
    };
    const std::vector<std::string> given{"V=4", "WG=32", "STRIP=64", "DECIDE_WORDS=16"};
    std::vector<std::string> all = given;
    all.emplace_back("DECIDE_WG=64");
    EXPECT_EQ(compiled({}, all), "compiled with DECIDE_WG=64 DECIDE_WORDS=16 STRIP=64 V=4 WG=32");
    // What the text sets is the definition of its own program.
    EXPECT_EQ(compiled("#define WG 256\n", given),
              "compiled with DECIDE_WG=256 DECIDE_WORDS=16 STRIP=64 V=4 WG=32");
}

}  // namespace own_kernels_test
