// --threads N: no more than N threads compute, whatever the command; the results are the same bytes.

#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <string>
#include <thread>
#include <vector>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "tests/app/cli_process.h"

namespace {

using ks::tests::CliProcess;
using ks::tests::run_cli;
using ks::tests::TemporaryFolder;

double seconds_of(const timeval& time) {
    return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) * 1e-6;
}

/// Processor time of the children that have ended.
double processor_seconds() {
    rusage usage{};
    getrusage(RUSAGE_CHILDREN, &usage);
    return seconds_of(usage.ru_utime) + seconds_of(usage.ru_stime);
}

struct Spent {
    double wall, processor;
};

/// OpenBLAS makes its threads when it is loaded, and they look for work about a tenth of a second long.
constexpr double at_start = 0.12;

Spent spent(const std::vector<std::string>& arguments) {
    const double before = processor_seconds();
    const auto begin = std::chrono::steady_clock::now();
    const auto outcome = run_cli(arguments);
    const std::chrono::duration<double> wall = std::chrono::steady_clock::now() - begin;
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    return {wall.count(), processor_seconds() - before};
}

std::vector<std::string> operator+(std::vector<std::string> a, const std::vector<std::string>& b) {
    a.insert(a.end(), b.begin(), b.end());
    return a;
}

/// The most threads that the process had while it lived; it is waited for.
int max_threads_of(CliProcess& process) {
    int maximum = 0;
    while (!process.ended()) {
        std::ifstream status("/proc/" + std::to_string(process.pid()) + "/status");
        for (std::string line; std::getline(status, line);)
            if (line.starts_with("Threads:")) maximum = std::max(maximum, std::stoi(line.substr(8)));
        std::this_thread::sleep_for(std::chrono::milliseconds(2));
    }
    return maximum;
}

class Threads : public testing::Test {
  protected:
    static void SetUpTestSuite() {
        ASSERT_EQ(run_cli({"generate", "xpcs", "--out", folder / "f.h5", "--frames", "500", "--height", "201",
                           "--width", "241"})
                      .code,
                  0);
        ASSERT_EQ(run_cli({"generate", "spots", "--out", folder / "s.h5", "--frames", "4"}).code, 0);
        ASSERT_EQ(run_cli({"generate", "clusters", "--out", folder / "c.h5", "--events", "3"}).code, 0);
        ASSERT_EQ(run_cli({"generate", "particles", "--out", folder / "p.csv", "--points", "2000"}).code, 0);
    }
    /// A job of every analysis on the host, with its table as CSV.
    static std::vector<std::vector<std::string>> jobs() {
        return {
            {"xpcs", folder / "f.h5", "--rings", "120,100,0,10,9", "--variant", "host.gram"},
            {"xpcs", folder / "f.h5", "--rings", "120,100,0,10,9", "--variant", "host.reference"},
            {"spots", folder / "s.h5", "--variant", "host.reference"},
            {"clusters", folder / "c.h5", "--variant", "host.reference"},
            {"particles", "--sources", folder / "p.csv", "--variant", "host.reference", "--planes", "60"}};
    }
    inline static const TemporaryFolder folder;
};

TEST_F(Threads, one_thread_takes_no_more_processor_time_than_it_lasts) {
    if (std::thread::hardware_concurrency() < 2) GTEST_SKIP() << "one processor";
    for (const auto& job : jobs()) {
        const auto one = spent(job + std::vector<std::string>{"--device", "host", "--threads", "1"});
        EXPECT_LE(one.processor, 1.3 * one.wall + at_start) << job[0] << " " << one.wall << " s";
    }
}

TEST_F(Threads, results_are_the_same_bytes) {
    for (const auto& job : jobs()) {
        std::string first;
        for (const char* threads : {"1", "3"}) {
            const std::string csv = folder / (std::string("t") + threads + ".csv");
            const auto outcome =
                run_cli(job + std::vector<std::string>{"--device", "host", "--threads", threads, "--csv", csv,
                                                       "--overwrite"});
            ASSERT_EQ(outcome.code, 0) << outcome.err;
            const std::string text = ks::tests::read_file(csv);
            ASSERT_FALSE(text.empty());
            if (first.empty()) first = text;
            EXPECT_TRUE(text == first) << job[0] << " with " << threads;
        }
    }
}

TEST_F(Threads, of_the_process_are_bounded_by_them) {
    for (const auto& job : jobs()) {
        // The main one, one that waits for Ctrl-C, one that watches over libraries of files, and one of PoCL;
        // BLAS starts its own when it is loaded, and they sleep.
        const int idle = 4 + static_cast<int>(std::thread::hardware_concurrency()) - 1;
        CliProcess process(job + std::vector<std::string>{"--device", "host", "--threads", "1"});
        EXPECT_LE(max_threads_of(process), idle) << job[0];
        EXPECT_EQ(process.wait(), 0) << process.err();
    }
}

TEST_F(Threads, of_an_opencl_device_on_the_host_are_limited_too) {
    const auto limited = run_cli({"devices", "--threads", "1"}).out;
    if (limited.find("cpu") == std::string::npos && limited.find("CPU") == std::string::npos)
        GTEST_SKIP() << "no OpenCL device on the host";
    const auto one = spent({"xpcs", folder / "f.h5", "--rings", "120,100,0,10,9", "--variant", "seed.naive",
                            "--device", "0", "--threads", "1", "--last-frame", "150"});
    EXPECT_LE(one.processor, 1.3 * one.wall + at_start) << one.wall << " s";
}

TEST_F(Threads, are_named_in_the_record_and_in_the_summary) {
    const std::vector<std::string> job = jobs()[0] + std::vector<std::string>{"--device", "host"};
    const auto text = run_cli(job + std::vector<std::string>{"--threads", "1"});
    EXPECT_NE(text.out.find(", at most 1 thread on the host"), std::string::npos) << text.out;
    const auto record = run_cli(job + std::vector<std::string>{"--threads", "3", "--json"});
    EXPECT_EQ(nlohmann::json::parse(record.out).at("threads"), 3) << record.out;
}

TEST(ThreadsOption, takes_1_to_1024_on_every_command) {
    const TemporaryFolder folder;
    for (const char* bad : {"0", "1025", "-1", "two", "1.5", "", "99999999999999999999"}) {
        const auto outcome = run_cli({"generate", "particles", "--out", folder / "p.csv", "--threads", bad});
        EXPECT_EQ(outcome.code, 2) << bad;
        EXPECT_NE(outcome.err.find("whole number from 1 to 1024"), std::string::npos) << outcome.err;
        EXPECT_TRUE(folder.names().empty());
    }
    const std::vector<std::vector<std::string>> commands{{"devices"},        {"info"},
                                                         {"worker"},         {"convert"},
                                                         {"ceilings"},       {"generate", "xpcs"},
                                                         {"bench", "spots"}, {"bench", "clusters"},
                                                         {"xpcs"},           {"spots"},
                                                         {"clusters"},       {"particles"}};
    for (const auto& command : commands) {
        const auto help = run_cli(command + std::vector<std::string>{"--help"});
        EXPECT_NE(help.out.find("--threads"), std::string::npos) << command.back();
    }
}

}  // namespace
