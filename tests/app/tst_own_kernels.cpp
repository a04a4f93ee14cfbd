// Kernels of the user's own that end their process, do not end, or print: a run says so in one sentence, and
// of a benchmark or a tuning the rest goes on.

#include <algorithm>
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

TEST_F(OwnKernels, one_that_ends_its_process_costs_a_benchmark_one_row) {
    write_broken();
    const Outcome outcome =
        run_cli({"bench", "matmul", "--size", "100", "--device", "0", "--repeat", "2", "--variants",
                 "blocks.16,user.broken,private.sum", "--json", folder_ / "x.json"});
    expect_one_sentence(outcome, "the kernel multiply ended its process");
    EXPECT_NE(outcome.err.find("user.broken"), std::string::npos) << outcome.err;
    EXPECT_NE(outcome.out.find("ended its process"), std::string::npos) << outcome.out;
    for (const char* id : {"blocks.16", "private.sum"}) {
        EXPECT_EQ(row(report(), id).at("samples").size(), 2U) << id;
        EXPECT_EQ(row(report(), id).at("verdict").at("state"), "pass") << id;
    }
    const nlohmann::json broken = row(report(), "user.broken");
    EXPECT_TRUE(broken.at("samples").empty());
    EXPECT_NE(broken.at("not_run").get<std::string>().find("illegal access to memory"), std::string::npos)
        << broken.at("not_run");
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
          signature + "    volatile global float* at = c;\n    while (at[0] > -1.0f) at[1] = 0;\n}\n");
    const Outcome outcome =
        run_cli({"bench", "matmul", "--size", "20", "--device", "0", "--repeat", "1", "--time-limit", "1",
                 "--variants", "user.endless,private.sum", "--json", folder_ / "x.json"});
    expect_one_sentence(outcome, "the kernel multiply did not end within 1 s");
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

TEST_F(OwnKernels, a_single_run_ends_in_one_sentence_whether_it_is_a_variant_or_a_source) {
    write_broken();
    const std::vector<std::string> run{"matmul", "--size", "100", "--device", "0"};
    const auto with = [&run](std::vector<std::string> more) {
        more.insert(more.begin(), run.begin(), run.end());
        return more;
    };
    expect_one_sentence(run_cli(with({"--variant", "user.broken"})), "the kernel multiply ended its process");
    const std::string source = (own_.path() / "matmul/broken.cl").string();
    expect_one_sentence(run_cli(with({"--variant", "private.sum", "--kernel-source", source})),
                        "the kernel multiply ended its process");
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
                EXPECT_NE(why.find("ended its process"), std::string::npos) << why;
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

}  // namespace own_kernels_test
