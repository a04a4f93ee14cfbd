// Files that crash or hang the library that reads them: one sentence with the file's name and exit code 2,
// nothing written, whatever the command; and one signal ends whatever does not come back.

#include <chrono>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <string>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

#include "tests/app/cli_process.h"
#include "tests/app/deadly_file.h"
#include "tests/app/hdf5_fixture.h"

namespace deadly_files_test {

using ks::tests::CliProcess;
using ks::tests::Hdf5Fixture;
using ks::tests::Outcome;
using ks::tests::run_cli;
using ks::tests::TemporaryFolder;
using Arguments = std::vector<std::string>;
using Clock = std::chrono::steady_clock;
namespace fs = std::filesystem;

Arguments operator+(Arguments all, const Arguments& more) {
    all.insert(all.end(), more.begin(), more.end());
    return all;
}

class DeadlyFiles : public testing::Test {
  protected:
    DeadlyFiles() {
        ks::tests::DeadlyFilter::write(frames_, "/entry/data/data", {6, 8, 9});
        ks::tests::DeadlyFilter::write(labels_, "/labels", {8, 9});
        // What tells the geometry is read by everybody who opens it.
        ks::tests::DeadlyFilter::write(geometry_, "/entry/instrument/detector/beam_center_x", {1});
        Hdf5Fixture good(good_);
        good.counts("data", {6, 8, 9}, [](std::size_t i) { return static_cast<std::uint16_t>(i * 7 % 11); });
        fs::create_directory(folder_ / "out");
    }
    Arguments spots(const std::string& file) const {
        return {"spots",     file,
                "--variant", "host.sliding",
                "--out",     folder_ / "out/run.h5",
                "--csv",     folder_ / "out/spots.csv"};
    }
    Arguments correlation(const Arguments& more) const {
        return Arguments{"xpcs", good_ + "::/data", "--device", "host", "--out", folder_ / "out/run.h5"} +
               more;
    }
    /// One line on standard error with these words, the code, nothing else.
    void expect_sentence(const Outcome& outcome, int code, const Arguments& words) const {
        EXPECT_EQ(outcome.code, code) << outcome.err;
        EXPECT_EQ(outcome.err.find('\n'), outcome.err.size() - 1) << outcome.err;
        EXPECT_TRUE(outcome.err.starts_with("kernelscope-cli: ")) << outcome.err;
        for (const std::string& word : words)
            EXPECT_NE(outcome.err.find(word), std::string::npos) << word << " in: " << outcome.err;
        EXPECT_EQ(outcome.out, "");
        EXPECT_TRUE(fs::is_empty(folder_ / "out"));
    }
    /// Waits until a process is in the filter.
    void wait_for_reader(CliProcess& process) const {
        const auto end = Clock::now() + std::chrono::minutes(1);
        while (!fs::exists(reader_) && !process.ended() && Clock::now() < end)
            std::this_thread::sleep_for(std::chrono::milliseconds(10));
        ASSERT_TRUE(fs::exists(reader_)) << process.err();
    }

    TemporaryFolder folder_;
    const std::string frames_ = folder_ / "frames.h5", labels_ = folder_ / "labels.h5",
                      geometry_ = folder_ / "geometry.h5", good_ = folder_ / "good.h5",
                      reader_ = folder_ / "reader";
    ks::tests::DeadlyFilter filter_;
};

TEST_F(DeadlyFiles, that_crash_the_library_are_named_by_every_command_that_reads_them) {
    const std::string crashed =
        "the HDF5 library crashed while reading this file: an illegal access to memory";
    expect_sentence(run_cli(spots(frames_)), 2, {"frames.h5: " + crashed});
    expect_sentence(run_cli(correlation({"--qmask", labels_ + "::/labels"})), 2, {"labels.h5: " + crashed});
    expect_sentence(run_cli(correlation({"--rings", "4,4,0,1,3", "--mask", labels_ + "::/labels"})), 2,
                    {"labels.h5: " + crashed});
    expect_sentence(run_cli({"info", geometry_}), 2, {"geometry.h5: " + crashed});

    // A run whose data have become such a file.
    fs::copy_file(frames_, folder_ / "kept.h5");
    fs::remove(frames_);
    ASSERT_EQ(
        run_cli({"generate", "spots", "--frames", "2", "--height", "80", "--width", "90", "--out", frames_})
            .code,
        0);
    ASSERT_EQ(run_cli({"spots", frames_, "--variant", "host.sliding", "--out", folder_ / "run.h5"}).code, 0);
    fs::rename(folder_ / "kept.h5", frames_);
    expect_sentence(run_cli({"repeat", folder_ / "run.h5"}), 2, {"frames.h5: " + crashed});
}

TEST_F(DeadlyFiles, that_hang_the_library_are_given_up_whether_it_waits_or_computes) {
    filter_.hang(reader_);
    const std::string hangs = "the HDF5 library made no progress for ";
    expect_sentence(run_cli(spots(frames_) + Arguments{"--read-timeout", "0.5"}), 2,
                    {"frames.h5: " + hangs, "--read-timeout"});
    expect_sentence(run_cli({"info", geometry_, "--read-timeout", "0.5"}), 2, {"geometry.h5: " + hangs});
    filter_.spin(reader_);
    expect_sentence(run_cli(spots(frames_) + Arguments{"--read-timeout", "0.5"}), 2, {"frames.h5: " + hangs});
}

TEST_F(DeadlyFiles, that_are_slow_but_make_progress_are_read) {
    filter_.take(250);  // 1.5 s for all of it
    const Outcome outcome = run_cli(spots(frames_) + Arguments{"--read-timeout", "0.6"});
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_TRUE(fs::exists(folder_ / "out/run.h5"));
}

TEST_F(DeadlyFiles, one_signal_ends_a_process_that_a_library_keeps) {
    struct Case {
        int signal, code;
    };
    for (const auto& [signal, code] : {Case{SIGTERM, 143}, Case{SIGINT, 130}}) {
        for (const bool spins : {false, true}) {
            fs::remove(reader_);
            spins ? filter_.spin(reader_) : filter_.hang(reader_);
            CliProcess process(spots(frames_));
            wait_for_reader(process);
            const auto begin = Clock::now();
            process.interrupt(signal);
            EXPECT_EQ(process.wait(), code);
            EXPECT_LT(Clock::now() - begin, std::chrono::milliseconds(2500));
            EXPECT_NE(process.err().find("kernelscope-cli: interrupted"), std::string::npos) << process.err();
            EXPECT_TRUE(fs::is_empty(folder_ / "out"));
        }
    }
}

TEST_F(DeadlyFiles, a_time_limit_that_is_none_is_refused) {
    for (const char* text : {"-1", "soon", "1e9", ""})
        expect_sentence(run_cli(spots(good_) + Arguments{std::string("--read-timeout=") + text}), 2,
                        {"--read-timeout"});
}

TEST(Crash, of_a_run_is_one_sentence_with_its_stage_and_leaves_no_file) {
    const TemporaryFolder folder;
    {
        Hdf5Fixture file(folder / "scan.h5");
        file.counts("data", {1500, 200, 200},
                    [](std::size_t i) { return static_cast<std::uint16_t>(i % 7); });
    }
    CliProcess process({"xpcs", folder / "scan.h5::/data", "--rings", "100,100,0,10,10", "--variant",
                        "host.reference", "--out", folder / "run.h5", "--progress"});
    ASSERT_TRUE(process.wait_for_error_text("correlate")) << process.err();
    process.interrupt(SIGSEGV);
    EXPECT_EQ(process.wait(), 1);
    EXPECT_NE(
        process.err().find("kernelscope-cli: it crashed in the stage \"correlate\": an illegal access to "
                           "memory (signal 11, Segmentation fault)"),
        std::string::npos)
        << process.err();
    EXPECT_EQ(folder.names(), std::vector<std::string>{"scan.h5"});
}

}  // namespace deadly_files_test
