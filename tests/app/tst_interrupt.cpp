// Ctrl-C, SIGTERM and SIGHUP: exit code 128 and the signal, nothing written.

#include <sys/wait.h>
#include <unistd.h>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "app/cli/interrupt.h"
#include "core/io/files/atomic_file.h"
#include "tests/app/cli_process.h"
#include "tests/app/hdf5_fixture.h"

namespace {

using ks::tests::CliProcess;
using ks::tests::Hdf5Fixture;
using ks::tests::run_cli;
using ks::tests::TemporaryFolder;

/// Interrupts the process once it shows progress; returns its exit code.
int interrupted(CliProcess& process, int signal = SIGINT) {
    EXPECT_TRUE(process.wait_for_error_text("%\n")) << process.err();
    EXPECT_FALSE(process.ended()) << "it was over before it could be interrupted: " << process.err();
    process.interrupt(signal);
    return process.wait();
}

volatile std::sig_atomic_t handled = 0;

// A driver's compiler does so, and then removes the files that it is about to read.
TEST(Interrupt, cancels_also_where_a_library_has_put_its_own_handler) {
    EXPECT_EXIT(
        {
            ks::Progress progress;
            const ks::cli::InterruptCancels guard(progress);
            std::signal(SIGINT, [](int) { handled = 1; });
            std::thread([] { kill(getpid(), SIGINT); }).join();
            for (int i = 0; i < 1000 && !progress.cancelled(); ++i)
                std::this_thread::sleep_for(std::chrono::milliseconds(1));
            const bool right = progress.cancelled() && handled == 0;
            // Nor does it end what a driver starts, a linker for one.
            const bool outlived = WEXITSTATUS(std::system("kill -INT $$; exit 7")) == 7;
            _exit(right && outlived ? 0 : 1);
        },
        testing::ExitedWithCode(0), "");
}

TEST(Interrupt, ends_what_does_not_stop_within_two_seconds_also_after_its_guard) {
    for (const bool guarded : {true, false}) {
        const TemporaryFolder folder;
        const auto begin = std::chrono::steady_clock::now();
        EXPECT_EXIT(
            {
                ks::Progress progress;
                auto guard = std::make_optional<ks::cli::InterruptCancels>(progress);
                const ks::io::AtomicFile file(folder / "run.h5", false);
                kill(getpid(), SIGTERM);
                while (!progress.cancelled()) std::this_thread::sleep_for(std::chrono::milliseconds(1));
                if (!guarded) guard.reset();
                for (;;) std::this_thread::sleep_for(std::chrono::seconds(1));
            },
            testing::ExitedWithCode(143), "interrupted");
        EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::milliseconds(2500));
        EXPECT_TRUE(folder.names().empty());
    }
}

TEST(Interrupt, ends_a_kernel_that_does_not_end) {
    const TemporaryFolder folder;
    const auto devices = nlohmann::json::parse(run_cli({"devices", "--json"}).out);
    std::string index;
    for (const auto& device : devices)
        if (device.at("platform_name") == "Portable Computing Language")
            index = std::to_string(device.at("index").get<int>());
    if (index.empty()) GTEST_SKIP() << "there is no PoCL";
    std::ofstream(folder / "endless.cl")
        << "kernel void add(const ulong n, global const float* a, global const float* b, global float* c) {\n"
           "    for (volatile float x = 1; x < 2; x = -1) c[0] = x;\n"
           "}\n";
    CliProcess process({"vector_add", "--device", index, "--variant", "seed.add", "--kernel-source",
                        folder / "endless.cl", "--progress"});
    std::this_thread::sleep_for(std::chrono::seconds(4));
    ASSERT_FALSE(process.ended()) << process.err();
    const auto begin = std::chrono::steady_clock::now();
    process.interrupt(SIGTERM);
    EXPECT_EQ(process.wait(), 143) << process.err();
    EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::milliseconds(2500));
}

TEST(Interrupt, ends_a_process_again_that_is_no_longer_guarded) {
    EXPECT_EXIT(
        {
            ks::Progress progress;
            { const ks::cli::InterruptCancels guard(progress); }
            raise(SIGINT);
            _exit(0);
        },
        testing::KilledBySignal(SIGINT), "");
}

TEST(Interrupt, ends_a_correlation_with_130_and_no_file) {
    const TemporaryFolder folder;
    const std::string scan = folder / "scan.h5";
    {
        Hdf5Fixture file(scan);
        file.counts("data", {1500, 200, 200},
                    [](std::size_t i) { return static_cast<std::uint16_t>(i % 7); });
    }
    const auto begin = std::chrono::steady_clock::now();
    CliProcess process({"xpcs", scan + "::/data", "--rings", "100,100,0,10,10", "--variant", "host.reference",
                        "--out", folder / "run.h5", "--csv", folder / "g2.csv", "--progress"});
    EXPECT_EQ(interrupted(process), 130);
    EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(60));
    EXPECT_NE(process.err().find("kernelscope-cli: interrupted"), std::string::npos) << process.err();
    EXPECT_EQ(folder.names(), std::vector<std::string>{"scan.h5"});
}

TEST(Interrupt, ends_the_writing_of_a_table_with_130_and_no_file) {
    const TemporaryFolder folder;
    std::ofstream(folder / "s.csv") << "x,y,z,weight\n0,0,0,1\n";
    CliProcess process({"particles", "--sources", folder / "s.csv", "--planes", "1000", "--csv",
                        folder / "f.csv", "--progress"});
    EXPECT_TRUE(process.wait_for_error_text("write")) << process.err();
    process.interrupt();
    EXPECT_EQ(process.wait(), 130);
    EXPECT_NE(process.err().find("interrupted; nothing was written"), std::string::npos) << process.err();
    EXPECT_EQ(folder.names(), std::vector<std::string>{"s.csv"});
}

TEST(Interrupt, ends_a_benchmark_with_130_and_no_file) {
    const TemporaryFolder folder;
    CliProcess process({"bench", "xpcs", "--frames", "24", "--height", "41", "--width", "43", "--variants",
                        "host.gram,host.reference", "--device", "host", "--repeat", "1000000", "--json",
                        folder / "bench.json", "--progress"});
    EXPECT_EQ(interrupted(process), 130);
    EXPECT_TRUE(folder.names().empty());
}

TEST(Interrupt, by_another_signal_ends_the_making_of_data_with_its_code_and_no_file) {
    for (const int signal : {SIGTERM, SIGHUP}) {
        const TemporaryFolder folder;
        CliProcess process({"generate", "spots", "--frames", "3000", "--height", "200", "--width", "200",
                            "--out", folder / "scan.h5", "--progress"});
        EXPECT_EQ(interrupted(process, signal), 128 + signal);
        EXPECT_NE(process.err().find("interrupted; nothing was written"), std::string::npos) << process.err();
        EXPECT_TRUE(folder.names().empty());
    }
}

TEST(Interrupt, ends_who_serves_at_once_and_leaves_no_temporary_file) {
    for (const int signal : {SIGINT, SIGTERM, SIGHUP}) {
        const TemporaryFolder folder;
        EXPECT_EXIT(
            {
                const ks::cli::InterruptEnds guard;
                const ks::io::AtomicFile file(folder / "run.h5", false);
                kill(getpid(), signal);
                for (;;) pause();
            },
            testing::KilledBySignal(signal), "");
        EXPECT_TRUE(folder.names().empty());
    }
}

TEST(Interrupt, that_is_to_be_ignored_is_ignored) {
    EXPECT_EXIT(
        {
            std::signal(SIGHUP, SIG_IGN);
            ks::Progress progress;
            {
                const ks::cli::InterruptCancels guard(progress);
                kill(getpid(), SIGHUP);
                std::this_thread::sleep_for(std::chrono::milliseconds(200));
            }
            _exit(progress.cancelled() ? 1 : 0);
        },
        testing::ExitedWithCode(0), "");
}

}  // namespace
