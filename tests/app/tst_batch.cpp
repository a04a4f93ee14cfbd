// One request over a list of files: what is done is known by its run, and what fails ends nothing.

#include <chrono>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <string>
#include <thread>
#include <vector>

#include <gtest/gtest.h>
#include <hdf5.h>
#include <nlohmann/json.hpp>

#include "tests/app/cli_process.h"

namespace batch_test {

using ks::tests::Outcome;
using ks::tests::run_cli;
using ks::tests::TemporaryFolder;
using Arguments = std::vector<std::string>;
namespace fs = std::filesystem;

class Batch : public testing::Test {
  protected:
    void make(const std::string& name, int seed) {
        const Outcome made =
            run_cli({"generate", "spots", "--frames", "2", "--height", "80", "--width", "90", "--spots", "20",
                     "--seed", std::to_string(seed), "--out", folder_ / name});
        ASSERT_EQ(made.code, 0) << made.err;
    }
    void list(const std::string& lines) { std::ofstream(folder_ / "list") << lines; }
    Outcome batch(const Arguments& more = {}) {
        Arguments all{"batch",          "spots",     folder_ / "list", "--out",
                      folder_ / "runs", "--variant", "host.sliding"};
        all.insert(all.end(), more.begin(), more.end());
        return run_cli(all);
    }
    /// State by data, in the order of the list.
    std::vector<std::string> states(const Arguments& more = {}) {
        Arguments all = more;
        all.emplace_back("--json");
        std::vector<std::string> found;
        for (const auto& row : nlohmann::json::parse(batch(all).out)) found.push_back(row.at("state"));
        return found;
    }
    bool there(const std::string& name) const { return fs::exists(folder_ / name); }

    TemporaryFolder folder_;
};

TEST_F(Batch, runs_each_file_and_knows_what_is_done) {
    make("a.h5", 1);
    make("b.h5", 2);
    list("a.h5\n# not this one\n\n  b.h5::/entry/data/data \n");
    const Outcome first = batch({"--csv"});
    EXPECT_EQ(first.code, 0) << first.err;
    EXPECT_NE(first.out.find("2 done, 0 done before, 0 failed"), std::string::npos) << first.out;
    for (const char* name :
         {"runs/a.h5", "runs/a.csv", "runs/b_entry_data_data.h5", "runs/b_entry_data_data.csv"})
        EXPECT_TRUE(there(name)) << name;
    EXPECT_EQ(states({"--csv"}), (std::vector<std::string>{"done before", "done before"}));

    // A run that is gone is made again, a table that is gone from the run that is there.
    fs::remove(folder_ / "runs/a.h5");
    fs::remove(folder_ / "runs/a.csv");
    fs::remove(folder_ / "runs/b_entry_data_data.csv");
    EXPECT_EQ(states({"--csv"}), (std::vector<std::string>{"done", "done before"}));
    EXPECT_TRUE(there("runs/b_entry_data_data.csv"));
}

TEST_F(Batch, a_failure_is_a_row_and_ends_nothing) {
    make("a.h5", 1);
    make("c.h5", 3);
    std::ofstream(folder_ / "bad.h5") << "no frames";
    list("bad.h5\na.h5\ngone.h5\nc.h5\n");
    const Outcome outcome = batch();
    EXPECT_EQ(outcome.code, 1);
    EXPECT_NE(outcome.out.find("2 done, 0 done before, 2 failed"), std::string::npos) << outcome.out;
    EXPECT_NE(outcome.out.find("found something else"), std::string::npos) << outcome.out;
    EXPECT_NE(outcome.out.find("no such file"), std::string::npos) << outcome.out;
    EXPECT_NE(outcome.err.find("2 of 4 failed"), std::string::npos) << outcome.err;
    EXPECT_FALSE(there("runs/bad.h5"));
}

TEST_F(Batch, a_run_of_another_request_is_not_taken_for_this_one) {
    make("a.h5", 1);
    list("a.h5\n");
    ASSERT_EQ(batch().code, 0);
    const Outcome other = batch({"--sigma-s", "4"});
    EXPECT_EQ(other.code, 1);
    EXPECT_NE(other.out.find("sigma_s is 3.0 there and 4.0 now"), std::string::npos) << other.out;
    EXPECT_EQ(states({"--sigma-s", "4", "--overwrite"}), std::vector<std::string>{"done"});
    EXPECT_EQ(states({"--sigma-s", "4"}), std::vector<std::string>{"done before"});
    EXPECT_EQ(states({"--sigma-s", "4", "--check", "full"}), std::vector<std::string>{"failed"})
        << "unchecked";

    fs::last_write_time(folder_ / "a.h5", fs::file_time_type::clock::now() + std::chrono::seconds(5));
    const Outcome changed = batch({"--sigma-s", "4"});
    EXPECT_NE(changed.out.find("a.h5 has changed since"), std::string::npos) << changed.out;
    EXPECT_EQ(states({"--sigma-s", "4", "--overwrite"}), std::vector<std::string>{"done"});

    std::ofstream(folder_ / "runs/a.h5") << "no run";
    EXPECT_EQ(states(), std::vector<std::string>{"failed"});
}

/// Frames that end whoever reads them, or keep him for ever.
class DeadlyBatch : public Batch {
  protected:
    DeadlyBatch() { setenv("HDF5_PLUGIN_PATH", DEADLY_FILTER_FOLDER, 1); }
    ~DeadlyBatch() override {
        unsetenv("HDF5_PLUGIN_PATH");
        unsetenv("DEADLY_FILTER");
    }
    void make_deadly(const std::string& name) {
        constexpr hsize_t shape[3] = {2, 80, 90}, chunk[3] = {1, 80, 90};
        const hid_t file = H5Fcreate((folder_ / name).c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT),
                    space = H5Screate_simple(3, shape, nullptr), how = H5Pcreate(H5P_DATASET_CREATE);
        H5Pset_chunk(how, 3, chunk);
        H5Pset_filter(how, 300, H5Z_FLAG_OPTIONAL, 0, nullptr);
        const hid_t frames = H5Dcreate2(file, "/frames", H5T_STD_U16LE, space, H5P_DEFAULT, how, H5P_DEFAULT);
        const std::vector<std::uint16_t> values(80 * 90, 3);
        for (hsize_t i = 0; i < shape[0]; ++i) {
            const hsize_t offset[3] = {i, 0, 0};
            ASSERT_GE(H5Dwrite_chunk(frames, H5P_DEFAULT, 0, offset, 2 * values.size(), values.data()), 0);
        }
        H5Dclose(frames);
        H5Pclose(how);
        H5Sclose(space);
        H5Fclose(file);
    }
};

TEST_F(DeadlyBatch, a_file_whose_reading_ends_the_process_is_a_row_and_ends_nothing) {
    make("a.h5", 1);
    make("c.h5", 3);
    make_deadly("b.h5");
    list("a.h5\nb.h5\nc.h5\n");
    const Outcome outcome = batch();
    EXPECT_EQ(outcome.code, 1);
    EXPECT_NE(outcome.out.find("2 done, 0 done before, 1 failed, of which 1 crashed"), std::string::npos)
        << outcome.out << outcome.err;
    EXPECT_NE(outcome.out.find("crashed      an illegal access to memory (signal 11, Segmentation fault)"),
              std::string::npos)
        << outcome.out;
    EXPECT_NE(outcome.err.find("1 of 3 failed"), std::string::npos) << outcome.err;
    EXPECT_TRUE(there("runs/a.h5"));
    EXPECT_FALSE(there("runs/b.h5"));
    EXPECT_TRUE(there("runs/c.h5"));
    EXPECT_EQ(states(), (std::vector<std::string>{"done before", "crashed", "done before"}));
    fs::remove(folder_ / "b.h5");
    make("b.h5", 2);
    EXPECT_EQ(states(), (std::vector<std::string>{"done before", "done", "done before"}));
}

/// What a process writes into a file soon; 0 where it does not.
pid_t written_number(const std::string& file) {
    pid_t number = 0;
    const auto limit = std::chrono::steady_clock::now() + std::chrono::minutes(1);
    while (number == 0 && std::chrono::steady_clock::now() < limit) {
        std::ifstream(file) >> number;
        std::this_thread::sleep_for(std::chrono::milliseconds(10));
    }
    return number;
}

TEST_F(DeadlyBatch, an_interrupt_ends_the_process_that_reads_too) {
    make("a.h5", 1);
    make_deadly("b.h5");
    list("a.h5\nb.h5\na.h5::/entry/data/data\n");
    const std::string number = folder_ / "reader";
    setenv("DEADLY_FILTER", number.c_str(), 1);
    ks::tests::CliProcess process(
        {"batch", "spots", folder_ / "list", "--out", folder_ / "runs", "--variant", "host.sliding"});
    const pid_t reader = written_number(number);
    ASSERT_GT(reader, 0) << process.out() << process.err();
    EXPECT_EQ(kill(reader, 0), 0);
    process.interrupt();
    EXPECT_EQ(process.wait(), 130) << process.err();
    EXPECT_NE(process.err().find("1 of 3 runs were written"), std::string::npos) << process.err();
    EXPECT_NE(kill(reader, 0), 0);
    EXPECT_FALSE(there("runs/b.h5"));
}

TEST_F(DeadlyBatch, a_batch_that_is_killed_leaves_no_process) {
    make_deadly("b.h5");
    list("b.h5\n");
    const std::string number = folder_ / "reader";
    setenv("DEADLY_FILTER", number.c_str(), 1);
    ks::tests::CliProcess process(
        {"batch", "spots", folder_ / "list", "--out", folder_ / "runs", "--variant", "host.sliding"});
    const auto limit = std::chrono::steady_clock::now() + std::chrono::minutes(1);
    const pid_t reader = written_number(number);
    ASSERT_GT(reader, 0);
    process.interrupt(SIGKILL);
    process.wait();
    // Nobody may have waited for it: a process that has ended then still has its number.
    const auto runs = [reader] {
        std::ifstream state("/proc/" + std::to_string(reader) + "/stat");
        std::string pid, name, letter;
        return (state >> pid >> name >> letter) && letter != "Z";
    };
    while (runs() && std::chrono::steady_clock::now() < limit)
        std::this_thread::sleep_for(std::chrono::milliseconds(10));
    EXPECT_FALSE(runs());
}

TEST_F(Batch, refuses_lists_that_are_none) {
    make("a.h5", 1);
    list("# nothing\n\n");
    EXPECT_NE(batch().err.find("expected the name of a file in each line"), std::string::npos);
    list("a.h5\nother/a.h5\n");
    const Outcome twice = batch();
    EXPECT_EQ(twice.code, 2);
    EXPECT_NE(twice.err.find("other/a.h5 would be"), std::string::npos) << twice.err;
    EXPECT_FALSE(there("runs/a.h5"));
    EXPECT_EQ(run_cli({"batch", "spots", folder_ / "none", "--out", folder_ / "runs"}).code, 2);
    list("a.h5\n");
    const Outcome file = run_cli({"batch", "spots", folder_ / "list", "--out", folder_ / "a.h5"});
    EXPECT_EQ(file.code, 2);
    EXPECT_NE(file.err.find("expected a folder"), std::string::npos) << file.err;
    // The run of a.h5 would take its place.
    const Outcome itself =
        run_cli({"batch", "spots", folder_ / "list", "--out", folder_ / "", "--overwrite"});
    EXPECT_EQ(itself.code, 1);
    EXPECT_GT(fs::file_size(folder_ / "a.h5"), 1000U);
    EXPECT_NE(itself.out.find("failed"), std::string::npos) << itself.out;
}

}  // namespace batch_test
