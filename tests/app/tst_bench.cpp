// What `bench` prints and writes.

#include <algorithm>
#include <fstream>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "tests/app/cli_process.h"
#include "tests/core/run/own_cache.h"

namespace {

using ks::tests::Outcome;
using ks::tests::run_cli;
using ks::tests::TemporaryFolder;

const std::vector<std::string> small{"--frames", "24", "--height", "41", "--width", "43"};

std::vector<std::string> with_sizes(std::vector<std::string> arguments) {
    arguments.insert(arguments.end(), small.begin(), small.end());
    return arguments;
}

TEST(Bench, keeps_every_sample_and_checks_every_variant_that_ran) {
    const TemporaryFolder folder;
    const Outcome outcome =
        run_cli(with_sizes({"bench", "xpcs", "--repeat", "4", "--json", folder / "bench.json"}));
    ASSERT_EQ(outcome.code, 0) << outcome.err;
    const auto report = nlohmann::json::parse(ks::tests::read_file(folder / "bench.json"));
    EXPECT_EQ(report.at("analysis"), "xpcs");
    EXPECT_EQ(report.at("sizes").at("frames"), 24);
    EXPECT_FALSE(report.at("device").at("name").get<std::string>().empty());
    EXPECT_TRUE(report.contains("driver"));
    EXPECT_FALSE(report.at("version").get<std::string>().empty());
    std::size_t ran = 0;
    for (const auto& variant : report.at("variants")) {
        const std::string id = variant.at("id");
        EXPECT_NE(outcome.out.find(id), std::string::npos) << id << " is not in the table";
        if (variant.contains("not_run")) {
            EXPECT_FALSE(variant.at("not_run").get<std::string>().empty());
            EXPECT_TRUE(variant.at("samples").empty());
            continue;
        }
        ++ran;
        ASSERT_EQ(variant.at("samples").size(), 4U) << id;
        for (const auto& sample : variant.at("samples")) {
            EXPECT_GT(sample.at("kernel_ns").get<double>(), 0) << id;
            EXPECT_GE(sample.at("total_ns").get<double>(), 0) << id;
        }
        EXPECT_EQ(variant.at("verdict").at("state"), "pass") << id;
    }
    EXPECT_GE(ran, 2U);
}

TEST(Bench, names_what_was_asked_for_only) {
    const Outcome outcome = run_cli(
        with_sizes({"bench", "xpcs", "--repeat", "3", "--device", "host", "--variants", "host.gram"}));
    ASSERT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_NE(outcome.out.find("host.gram"), std::string::npos);
    EXPECT_EQ(outcome.out.find("host.reference"), std::string::npos);
}

TEST(Bench, a_definition_goes_to_the_variants_that_have_it) {
    const TemporaryFolder folder;
    const Outcome outcome =
        run_cli(with_sizes({"bench", "xpcs", "--repeat", "1", "--variants", "seed.naive,host.gram",
                            "--define", "WG=64", "--json", folder / "bench.json"}));
    ASSERT_EQ(outcome.code, 0) << outcome.err;
    const auto report = nlohmann::json::parse(ks::tests::read_file(folder / "bench.json"));
    EXPECT_EQ(report.at("defines").at("WG"), "64");
    for (const auto& variant : report.at("variants"))
        EXPECT_FALSE(variant.at("samples").empty()) << variant.dump();
}

TEST(Bench, a_kernel_file_stands_for_the_kernel_of_the_variant_that_it_is_given_for) {
    const TemporaryFolder folder;
    std::ofstream(folder / "mine.cl") << "kernel void mine(global int* a) { a[0] = 1; }";
    const std::vector<std::string> command{
        "bench", "xpcs", "--repeat", "1", "--variants", "seed.naive,host.gram", "--kernel-source"};
    const auto with = [&](const std::string& source) {
        std::vector<std::string> arguments = command;
        arguments.push_back(source);
        return run_cli(with_sizes(arguments));
    };
    const Outcome mine = with("seed.naive=" + (folder / "mine.cl"));
    EXPECT_EQ(mine.code, 1) << "there is no kernel of the variant's name in the file: " << mine.out;
    EXPECT_NE(mine.out.find("host.gram"), std::string::npos)
        << "the others are timed all the same: " << mine.out;
    EXPECT_EQ(with("host.gram.nobody=" + (folder / "mine.cl")).code, 2);
    EXPECT_EQ(with("seed.naive=" + (folder / "missing.cl")).code, 2);
    EXPECT_EQ(with((folder / "mine.cl")).code, 2);
}

TEST(Bench, names_the_programs_that_were_compiled_by_their_text_and_options) {
    const TemporaryFolder folder;
    const auto variant_of = [&](std::vector<std::string> more) {
        std::vector<std::string> arguments{
            "bench",  "particles",  "--points",    "20",      "--planes", "30",         "--repeat",    "1",
            "--json", folder / "j", "--overwrite", "--check", "none",     "--variants", "target.tiled"};
        arguments.insert(arguments.end(), more.begin(), more.end());
        const Outcome outcome = run_cli(arguments);
        EXPECT_EQ(outcome.code, 0) << outcome.err;
        std::ifstream in(folder / "j");
        const nlohmann::json report = nlohmann::json::parse(in);
        const nlohmann::json row = report.at("variants").at(0);
        EXPECT_NE(outcome.out.find(row.at("programs").at(0).at("text_hash").get<std::string>()),
                  std::string::npos)
            << outcome.out;
        return row;
    };
    const nlohmann::json shipped = variant_of({});
    ASSERT_EQ(shipped.at("programs").size(), 1U) << shipped.at("programs");
    const nlohmann::json program = shipped.at("programs").at(0);
    EXPECT_EQ(program.at("source_file"), "gpu/particles/target_tiled.cl");
    EXPECT_EQ(program.at("entry_points"), nlohmann::json::array({"tiled_sums"}));
    EXPECT_NE(program.at("options").get<std::string>().find("-DTILE=128"), std::string::npos) << program;

    const nlohmann::json other_define = variant_of({"--define", "TILE=64"});
    EXPECT_EQ(other_define.at("programs").at(0).at("text_hash"), program.at("text_hash"));
    EXPECT_NE(other_define.at("program_hash"), shipped.at("program_hash"));

    // The shipped text with a comment more is another text, and the user's file.
    const std::string own = folder / "own.cl";
    std::ofstream(own) << "// mine\n"
                       << ks::tests::read_file(KERNELSCOPE_SOURCE_DIR "/gpu/particles/target_tiled.cl");
    const nlohmann::json mine = variant_of({"--kernel-source", "target.tiled=" + own});
    EXPECT_EQ(mine.at("programs").at(0).at("source_file"), own);
    EXPECT_NE(mine.at("programs").at(0).at("text_hash"), program.at("text_hash"));
    EXPECT_NE(mine.at("program_hash"), shipped.at("program_hash"));
}

TEST(Bench, lists_variants_that_cannot_run_with_the_reason) {
    const Outcome outcome = run_cli(with_sizes({"bench", "xpcs", "--repeat", "1", "--device", "host"}));
    ASSERT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_NE(outcome.out.find("seed.naive"), std::string::npos) << outcome.out;
    EXPECT_NE(outcome.out.find("not run: "), std::string::npos) << outcome.out;
}

TEST(Bench, tells_the_share_of_a_ceiling_where_ceilings_of_the_device_are_known) {
    const ks::tests::OwnCache cache;
    const TemporaryFolder folder;
    const std::vector<std::string> command{
        "bench",       "particles", "--points", "20",         "--planes",
        "30",          "--repeat",  "3",        "--json",     folder / "j",
        "--overwrite", "--check",   "none",     "--variants", "target.tiled,host.vector"};
    const auto report_of = [&](const Outcome& outcome) {
        EXPECT_EQ(outcome.code, 0) << outcome.err;
        return nlohmann::json::parse(ks::tests::read_file(folder / "j"));
    };
    const Outcome before = run_cli(command);
    const auto unknown = report_of(before);
    if (unknown.at("device").at("backend") != "opencl") GTEST_SKIP() << "no OpenCL device";
    EXPECT_EQ(before.out.find("ceiling"), std::string::npos) << before.out;
    EXPECT_FALSE(unknown.contains("ceilings_started"));

    const Outcome measured = run_cli({"ceilings", "--repeat", "2", "--memory-limit", "64MiB"});
    ASSERT_EQ(measured.code, 0) << measured.err;
    const auto ceilings = nlohmann::json::parse(ks::tests::read_file(cache.ceilings_file()));
    double exponentials = 0;
    for (const auto& one : ceilings.at("ceilings"))
        if (one.at("id") == "exp2") exponentials = one.at("median");
    const Outcome after = run_cli(command);
    const auto known = report_of(after);
    EXPECT_EQ(known.at("ceilings_started"), ceilings.at("started"));
    for (const auto& variant : known.at("variants")) {
        ASSERT_EQ(variant.contains("ceiling"), variant.at("id") == "target.tiled") << variant.dump();
        if (!variant.contains("ceiling")) continue;
        std::vector<double> kernel;
        for (const auto& sample : variant.at("samples")) kernel.push_back(sample.at("kernel_ns"));
        std::ranges::sort(kernel);
        const double pairs = 20 * 3 * 30 * 30;
        EXPECT_NEAR(variant.at("ceiling").at("share"), pairs * 1e9 / kernel[1] / exponentials, 1e-9);
        const std::string text = variant.at("ceiling").at("text");
        EXPECT_NE(text.find("the ceiling of"), std::string::npos);
        EXPECT_NE(after.out.find(text), std::string::npos) << after.out;
    }
}

TEST(Bench, keeps_an_existing_file) {
    const TemporaryFolder folder;
    std::ofstream(folder / "bench.json") << "precious";
    const Outcome outcome = run_cli(with_sizes({"bench", "xpcs", "--json", folder / "bench.json"}));
    EXPECT_EQ(outcome.code, 2);
    EXPECT_NE(outcome.err.find("bench.json"), std::string::npos);
    EXPECT_EQ(ks::tests::read_file(folder / "bench.json"), "precious");
}

}  // namespace
