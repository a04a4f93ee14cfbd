// What `tune` prints, writes and keeps, and what runs make of it.

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "gpu/runtime/kernel_files.h"
#include "tests/app/cli_process.h"
#include "tests/core/run/own_cache.h"

namespace {

using ks::tests::Outcome;
using ks::tests::run_cli;
using ks::tests::TemporaryFolder;

bool has(const std::string& text, const std::string& part) {
    EXPECT_NE(text.find(part), std::string::npos) << text;
    return text.find(part) != std::string::npos;
}

const std::vector<std::string> scan{"tune",   "scan",   "--variant", "three_passes",
                                    "--size", "100000", "--repeat",  "3"};

std::vector<std::string> with(std::vector<std::string> arguments, const std::vector<std::string>& more) {
    arguments.insert(arguments.end(), more.begin(), more.end());
    return arguments;
}

TEST(Tune, tries_all_that_fulfils_the_rules_and_goes_on_from_its_file) {
    const TemporaryFolder folder;
    const std::vector<std::string> command =
        with(scan, {"--space", "WG=1,16", "--space", "ITEMS=4,8,16", "--constraint", "WG * ITEMS <= 128",
                    "--json", folder / "tune.json"});
    const Outcome first = run_cli(command);
    ASSERT_EQ(first.code, 0) << first.err;
    has(first.out, "5 of 6 combinations");
    const auto report = nlohmann::json::parse(ks::tests::read_file(folder / "tune.json"));
    EXPECT_EQ(report.at("combinations"), 6);
    for (const auto& row : report.at("rows")) {
        EXPECT_LE(std::stoi(row.at("defines").at("WG").get<std::string>()) *
                      std::stoi(row.at("defines").at("ITEMS").get<std::string>()),
                  128);
        if (row.at("not_timed").get<std::string>().empty()) {
            EXPECT_EQ(row.at("tried_ns").size(), 3U);
        }
    }
    // The same again tries nothing; another size is another tuning.
    ASSERT_EQ(run_cli(command).code, 0);
    const auto again = nlohmann::json::parse(ks::tests::read_file(folder / "tune.json"));
    ASSERT_EQ(again.at("rows").size(), report.at("rows").size());
    for (std::size_t i = 0; i < again.at("rows").size(); ++i)
        EXPECT_EQ(again.at("rows")[i].at("tried_ns"), report.at("rows")[i].at("tried_ns"));
    std::vector<std::string> other = command;
    *std::ranges::find(other, "100000") = "200000";
    const Outcome refused = run_cli(other);
    EXPECT_EQ(refused.code, 2);
    has(refused.err, "a different size");
}

TEST(Tune, a_run_says_that_it_takes_kept_values_and_repeat_takes_them_too) {
    const TemporaryFolder folder;
    const ks::tests::OwnCache data("KERNELSCOPE_DATA");
    // Values that differ from the default of every kind of device, as if they had been found.
    const Outcome run = run_cli({"scan", "--size", "100000", "--variant", "three_passes", "--json"});
    ASSERT_EQ(run.code, 0) << run.err;
    const auto before = nlohmann::json::parse(run.out);
    EXPECT_TRUE(before.at("tuned").empty());
    nlohmann::json row{
        {"for", {{"analysis", "scan"}, {"variant", "three_passes"}, {"kind", ""}, {"size_class", 8}}},
        {"platform_name", before.at("device").at("platform_name")},
        {"device", before.at("device").at("name")},
        {"driver", before.at("device").at("driver")},
        {"defines", {{"ITEMS", "32"}, {"WG", "16"}}},
        {"speed_up", 1.5},
        {"found", "2026-01-01T00:00:00Z"}};
    std::ofstream(data.path() / "tuning.json") << nlohmann::json{{"format_version", 1}, {"rows", {row}}};
    has(run_cli({"tune", "--list"}).out, "scan/three_passes: ITEMS=32 WG=16");

    const std::vector<std::string> same{"scan", "--size", "100000", "--variant", "three_passes"};
    const Outcome tuned = run_cli(with(same, {"--out", folder / "tuned.h5", "--check", "full"}));
    ASSERT_EQ(tuned.code, 0) << tuned.err;
    has(tuned.out, "definitions from your table of tuned values: ITEMS=32 WG=16");
    const auto explicit_one = nlohmann::json::parse(run_cli(with(same, {"--define", "WG=1", "--json"})).out);
    EXPECT_EQ(explicit_one.at("tuned"), (nlohmann::json{{"ITEMS", "32"}}));
    // Below four times the size it is another class.
    const auto larger = nlohmann::json::parse(
        run_cli({"scan", "--size", "300000", "--variant", "three_passes", "--json"}).out);
    EXPECT_TRUE(larger.at("tuned").empty());

    EXPECT_EQ(run_cli({"tune", "--forget", "scan/three_passes"}).out, "1 row was removed\n");
    EXPECT_EQ(run_cli({"tune", "--list"}).out, "there are no tuned values\n");
    const Outcome repeated = run_cli({"repeat", folder / "tuned.h5", "--out", folder / "again.h5"});
    ASSERT_EQ(repeated.code, 0) << repeated.err;
    has(run_cli({"info", folder / "tuned.h5"}).out, "ITEMS=32 (tuned)");
    has(run_cli({"info", folder / "again.h5"}).out, "ITEMS=32");
}

TEST(Tune, keeps_nothing_by_fewer_repeats_than_an_order_needs) {
    const ks::tests::OwnCache data("KERNELSCOPE_DATA");
    const Outcome outcome = run_cli(with(scan, {"--space", "WG=1,16", "--space", "ITEMS=4", "--keep"}));
    ASSERT_EQ(outcome.code, 0) << outcome.err;
    has(outcome.out, "not significant: 3 repeats are too few, at least 8 are needed");
    has(outcome.out, "/ default: median of the ratios of single runs to the default's run just before each");
    has(outcome.out,
        "Nothing was saved: the best configuration is not significantly faster than the default; to show "
        "that it "
        "is, at least 8 repeats are needed.");
    EXPECT_EQ(run_cli({"tune", "--list"}).out, "there are no tuned values\n");
}

TEST(Tune, values_of_an_own_kernel_of_which_no_result_can_be_made_are_wrong) {
    const TemporaryFolder folder;
    const ks::tests::OwnCache variants("KERNELSCOPE_VARIANTS");
    std::filesystem::create_directories(variants.path() / "clusters");
    // It runs in a process of its own, from which the error comes as a message.
    std::string text = ks::gpu::kernel_text("gpu/clusters/map_cpu.cl");
    text.insert(text.rfind('}'), "    if (CASE == 2 && block_count > 0) labels[0] = 5;\n");
    std::ofstream(variants.path() / "clusters/mine.cl")
        << "// kernelscope variant\n// base: map.cpu\n\n#ifndef CASE\n#define CASE 1\n#endif\n" + text;
    const Outcome tuned =
        run_cli({"tune", "clusters", "--variant", "user.mine", "--space", "CASE=1,2,3", "--space", "ITEMS=2",
                 "--events", "1", "--digis", "100", "--repeat", "2", "--json", folder / "tune.json"});
    ASSERT_EQ(tuned.code, 0) << tuned.err;
    has(tuned.out, "wrong: label: the value 5 of digi 0 is not the smallest row number");
    has(tuned.out, "of which 0 failed and 1 was wrong");
    EXPECT_EQ(tuned.out.find("not timed"), std::string::npos) << tuned.out;
    const auto rows = nlohmann::json::parse(ks::tests::read_file(folder / "tune.json")).at("rows");
    ASSERT_GE(rows.size(), 3U);
    for (const auto& row : rows) {
        EXPECT_EQ(row.value("wrong", false), row.at("defines").at("CASE") == "2") << row.dump();
    }
    const Outcome timed = run_cli({"bench", "clusters", "--variants", "user.mine,host.reference", "--define",
                                   "CASE=2", "--events", "1", "--digis", "100", "--repeat", "2"});
    EXPECT_EQ(timed.code, 1);
    has(timed.out, "wrong: label: the value 5 of digi 0 is not the smallest row number");
    has(timed.err, "user.mine: label: the value 5 of digi 0 is not the smallest row number");
}

TEST(Tune, gives_the_messages_of_the_compiler_for_configurations_that_do_not_compile) {
    const TemporaryFolder folder;
    const ks::tests::OwnCache variants("KERNELSCOPE_VARIANTS");
    std::filesystem::create_directories(variants.path() / "vector_add");
    std::ofstream(variants.path() / "vector_add/mine.cl")
        << "// kernelscope variant\n// base: seed.add\n\n#ifndef CASE\n#define CASE 1\n#endif\n"
           "kernel void add(const ulong n, global const float* a, global const float* b, global float* c) {\n"
           "    const size_t i = get_global_id(0);\n"
           "#if CASE >= 3\n    undeclared_thing = 1;\n#endif\n"
           "    if (i < n) c[i] = a[i] + b[i];\n}\n";
    const auto tuned = [&](const std::string& file, const std::string& values) {
        return run_cli({"tune", "vector_add", "--variant", "user.mine", "--size", "1000", "--repeat", "1",
                        "--space", "CASE=" + values, "--json", folder / file});
    };
    const auto rows = [&](const std::string& file) {
        return nlohmann::json::parse(ks::tests::read_file(folder / file)).at("rows");
    };
    const Outcome some = tuned("some.json", "2,3");
    ASSERT_EQ(some.code, 0) << some.err;
    has(some.out, "undeclared_thing");
    has(some.out, "of which 1 failed");
    for (const auto& row : rows("some.json")) {
        const bool fails = row.at("defines").at("CASE") == "3";
        EXPECT_EQ(row.contains("failure"), fails) << row.dump();
        if (!fails) continue;
        EXPECT_EQ(row.at("failure").at("kind"), "build");
        has(row.at("failure").at("details"), "undeclared_thing");
    }
    // The default compiles: it is one of the two, but not a row.
    const Outcome only_default = tuned("default.json", "1,3");
    EXPECT_EQ(only_default.code, 0) << only_default.err;
    has(only_default.out, "Only the default configuration could be timed.");
    for (const char* time : {"at first", "resumed"}) {
        const Outcome none = tuned("none.json", "3,4");
        EXPECT_EQ(none.code, 2) << time;
        has(none.out, "undeclared_thing");
        has(none.err, "user.mine: none of the configurations compiles");
        EXPECT_EQ(rows("none.json").size(), 2U) << time;
    }
}

TEST(Tune, refuses_in_one_sentence) {
    const TemporaryFolder folder;
    const auto refused = [](const std::vector<std::string>& arguments, const std::string& why) {
        const Outcome outcome = run_cli(arguments);
        EXPECT_EQ(outcome.code, 2);
        has(outcome.err, why);
        EXPECT_EQ(std::ranges::count(outcome.err, '\n'), 1) << outcome.err;
    };
    refused(with(scan, {"--constraint", "WG < 0"}), "none of");
    refused(with(scan, {"--constraint", "TILE < 0"}), "unknown name TILE");
    refused(with(scan, {"--space", "WG=3"}), "expected one of");
    refused({"tune", "scan", "--variant", "host.threads"}, "runs on the host");
    refused({"tune", "scan", "--variant", "sequential"}, "nothing to tune");
    refused({"tune", "scan", "--variant", "three_passes", "--size", "100,200"}, "give only one value");
    refused({"tune"}, "--list");
    std::ofstream(folder / "other.json") << "{}";
    refused(with(scan, {"--json", folder / "other.json"}), "not a tuning report");
}

TEST(Tune, a_damaged_table_is_told_and_stops_no_run) {
    const ks::tests::OwnCache data("KERNELSCOPE_DATA");
    std::ofstream(data.path() / "tuning.json") << "{";
    const Outcome run = run_cli({"scan", "--size", "1000"});
    EXPECT_EQ(run.code, 0);
    has(run.err, "warning: ");
    has(run.err, "damaged");
    EXPECT_EQ(run_cli({"tune", "--list"}).code, 2);
    EXPECT_EQ(run_cli({"tune", "--forget", "all"}).code, 0);
    EXPECT_EQ(run_cli({"scan", "--size", "1000"}).err, "");
}

TEST(Tune, kernels_alone_are_repeated_and_the_host_says_why_not) {
    const TemporaryFolder folder;
    const Outcome outcome = run_cli({"bench", "scan", "--size", "100000", "--kernels-only", "--repeat", "7",
                                     "--json", folder / "bench.json"});
    ASSERT_EQ(outcome.code, 0) << outcome.err;
    has(outcome.out, "--kernels-only");
    has(outcome.out, "host per launch");
    const auto report = nlohmann::json::parse(ks::tests::read_file(folder / "bench.json"));
    EXPECT_EQ(report.at("kernels_only"), true);
    std::size_t ran = 0;
    for (const auto& row : report.at("variants")) {
        if (row.at("id").get<std::string>().starts_with("host.")) {
            has(row.at("not_run").get<std::string>(), "no kernels");
            continue;
        }
        ++ran;
        EXPECT_EQ(row.at("samples").size(), 7U);
        EXPECT_GE(row.at("launches").get<int>(), 1);
        EXPECT_EQ(row.at("verdict").at("state"), "pass");
    }
    EXPECT_EQ(ran, 2U);
    const Outcome other =
        run_cli({"bench", "scan", "--size", "100000", "--repeat", "2", "--baseline", folder / "bench.json"});
    EXPECT_EQ(other.code, 2);
    has(other.err, "kernels only");
}

}  // namespace
