// What `ceilings` prints, writes and keeps.

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "tests/app/cli_process.h"
#include "tests/core/run/own_cache.h"

namespace {

using ks::tests::CliProcess;
using ks::tests::Outcome;
using ks::tests::OwnCache;
using ks::tests::run_cli;
using ks::tests::TemporaryFolder;

class CeilingsCommand : public testing::Test {
  protected:
    void SetUp() override {
        const auto devices = nlohmann::json::parse(run_cli({"devices", "--json"}).out);
        for (const auto& device : devices)
            if (device.at("backend") == "opencl") return;
        GTEST_SKIP() << "no OpenCL device";
    }
    /// Small, that it is soon over.
    static std::vector<std::string> command(const std::vector<std::string>& more) {
        std::vector<std::string> all{"ceilings", "--repeat", "2", "--memory-limit", "64MiB"};
        all.insert(all.end(), more.begin(), more.end());
        return all;
    }
    const OwnCache cache_;
    const TemporaryFolder folder_;
};

TEST_F(CeilingsCommand, prints_a_table_keeps_every_sample_and_what_was_measured) {
    const std::string file = folder_ / "ceilings.json";
    const Outcome outcome = run_cli(command({"--json", file}));
    ASSERT_EQ(outcome.code, 0) << outcome.err;
    const auto report = nlohmann::json::parse(ks::tests::read_file(file));
    EXPECT_FALSE(report.at("device").at("name").get<std::string>().empty());
    EXPECT_EQ(report.at("driver"), report.at("device").at("driver"));
    EXPECT_EQ(report.at("program_hash").get<std::string>().size(), 16U);
    EXPECT_FALSE(report.at("started").get<std::string>().empty());
    std::set<std::string> ids;
    for (const auto& one : report.at("ceilings")) {
        ids.insert(one.at("id").get<std::string>());
        EXPECT_NE(outcome.out.find(one.at("label").get<std::string>()), std::string::npos) << outcome.out;
        EXPECT_NE(outcome.out.find(one.at("sample").get<std::string>()), std::string::npos) << outcome.out;
        ASSERT_EQ(one.at("samples").size(), 2U);
        for (const auto& sample : one.at("samples")) EXPECT_GT(sample.get<double>(), 0) << one.dump();
        EXPECT_GT(one.at("amount").get<double>(), 0);
    }
    for (const char* id : {"copy", "read", "upload", "download", "local", "private", "constant", "fma_f32",
                           "mad_u32", "exp2", "rsqrt", "sin", "launch"})
        EXPECT_TRUE(ids.contains(id)) << id;
    EXPECT_EQ(ids.contains("fma_f64"), report.at("device").at("fp64").get<bool>());
    EXPECT_EQ(nlohmann::json::parse(ks::tests::read_file(cache_.ceilings_file())), report);
}

TEST_F(CeilingsCommand, measures_again_where_the_kept_file_is_damaged) {
    ASSERT_EQ(run_cli(command({})).code, 0);
    const std::filesystem::path file = cache_.ceilings_file();
    ASSERT_FALSE(file.empty());
    std::ofstream(file) << "{\"device\": ";
    const Outcome outcome = run_cli(command({}));
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_NO_THROW(nlohmann::json::parse(ks::tests::read_file(file)));
}

TEST_F(CeilingsCommand, an_interrupt_ends_it_with_130_and_no_file) {
    CliProcess process({"ceilings", "--repeat", "100000", "--json", folder_ / "ceilings.json", "--progress"});
    ASSERT_TRUE(process.wait_for_error_text("copy 0%")) << process.err();
    process.interrupt();
    EXPECT_EQ(process.wait(), 130) << process.err();
    EXPECT_TRUE(folder_.names().empty());
    EXPECT_TRUE(cache_.ceilings_file().empty());
}

TEST_F(CeilingsCommand, an_interrupt_while_kernels_are_built_is_no_failure_to_build) {
    for (const int milliseconds : {5, 35, 65}) {
        // Empty, so that the compiler of PoCL has something to do.
        const OwnCache kernels("POCL_CACHE_DIR");
        CliProcess process({"ceilings", "--repeat", "100000", "--progress"});
        ASSERT_TRUE(process.wait_for_error_text("copy 0%")) << process.err();
        std::this_thread::sleep_for(std::chrono::milliseconds(milliseconds));
        process.interrupt();
        EXPECT_EQ(process.wait(), 130) << process.err();
        const std::string err = process.err(), end = "kernelscope-cli: interrupted; nothing was written\n";
        // of a compiler that takes longer than a signal is given
        const std::string late =
            "kernelscope-cli: interrupted during an operation that cannot be stopped; no "
            "unfinished file is left\n";
        EXPECT_TRUE(err == "copy 0%\n" + end || err == "copy 0%\nbuild kernels 0%\n" + end ||
                    err == "copy 0%\nbuild kernels 0%\n" + late)
            << err;
    }
}

TEST_F(CeilingsCommand, keeps_an_existing_file_without_overwrite) {
    std::ofstream(folder_ / "ceilings.json") << "precious";
    const Outcome outcome = run_cli(command({"--json", folder_ / "ceilings.json"}));
    EXPECT_EQ(outcome.code, 2);
    EXPECT_NE(outcome.err.find("ceilings.json"), std::string::npos);
    EXPECT_EQ(ks::tests::read_file(folder_ / "ceilings.json"), "precious");
    EXPECT_EQ(run_cli(command({"--json", folder_ / "ceilings.json", "--overwrite"})).code, 0);
}

TEST_F(CeilingsCommand, less_memory_than_a_measurement_needs_is_refused_by_name) {
    const Outcome outcome = run_cli({"ceilings", "--memory-limit", "1000"});
    EXPECT_EQ(outcome.code, 2) << outcome.out;
    EXPECT_NE(outcome.err.find("memory limit"), std::string::npos) << outcome.err;
}

TEST(Ceilings, of_the_host_are_refused_in_one_sentence) {
    const Outcome outcome = run_cli({"ceilings", "--device", "host"});
    EXPECT_EQ(outcome.code, 2);
    EXPECT_NE(outcome.err.find("OpenCL"), std::string::npos) << outcome.err;
    EXPECT_EQ(std::count(outcome.err.begin(), outcome.err.end(), '\n'), 1) << outcome.err;
}

TEST(Ceilings, wrong_options_are_refused) {
    EXPECT_EQ(run_cli({"ceilings", "--repeat", "0"}).code, 2);
    EXPECT_EQ(run_cli({"ceilings", "--device", "no such device"}).code, 2);
    EXPECT_EQ(run_cli({"ceilings", "--memory-limit", "much"}).code, 2);
}

}  // namespace
