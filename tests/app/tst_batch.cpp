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
#include "tests/app/deadly_file.h"
#include "tests/app/hdf5_fixture.h"

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
    EXPECT_NE(outcome.out.find("not an HDF5 file"), std::string::npos) << outcome.out;
    EXPECT_NE(outcome.out.find("no such file"), std::string::npos) << outcome.out;
    EXPECT_NE(outcome.err.find("2 of 4 files failed"), std::string::npos) << outcome.err;
    EXPECT_FALSE(there("runs/bad.h5"));
}

TEST_F(Batch, a_run_of_another_request_is_not_taken_for_this_one) {
    make("a.h5", 1);
    list("a.h5\n");
    ASSERT_EQ(batch().code, 0);
    const Outcome other = batch({"--sigma-s", "4"});
    EXPECT_EQ(other.code, 1);
    EXPECT_NE(other.out.find("sigma_s was 3.0 in that run and is 4.0 now"), std::string::npos) << other.out;
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

TEST_F(Batch, data_that_an_older_file_took_the_place_of_are_not_done) {
    make("a.h5", 1);
    make("older.h5", 2);
    fs::last_write_time(folder_ / "older.h5", fs::last_write_time(folder_ / "a.h5") - std::chrono::hours(1));
    list("a.h5\n");
    ASSERT_EQ(batch().code, 0);
    ASSERT_EQ(states(), std::vector<std::string>{"done before"});
    // As cp -p and rsync -t do.
    const auto time = fs::last_write_time(folder_ / "older.h5");
    fs::copy_file(folder_ / "older.h5", folder_ / "a.h5", fs::copy_options::overwrite_existing);
    fs::last_write_time(folder_ / "a.h5", time);
    EXPECT_NE(batch().out.find("a.h5 has changed since"), std::string::npos);
    EXPECT_EQ(states({"--overwrite"}), std::vector<std::string>{"done"});
    EXPECT_EQ(states(), std::vector<std::string>{"done before"});
}

TEST_F(Batch, data_behind_a_link_that_change_are_noticed) {
    make("data.h5", 1);
    const hid_t master = H5Fcreate((folder_ / "master.h5").c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
    H5Lcreate_external("data.h5", "/entry/data/data", master, "/data", H5P_DEFAULT, H5P_DEFAULT);
    H5Fclose(master);
    list("master.h5::/data\n");
    ASSERT_EQ(batch().code, 0);
    ASSERT_EQ(states(), std::vector<std::string>{"done before"});
    fs::last_write_time(folder_ / "data.h5",
                        fs::last_write_time(folder_ / "data.h5") - std::chrono::hours(1));
    EXPECT_NE(batch().out.find("data.h5 has changed since"), std::string::npos);
}

TEST_F(Batch, refuses_outputs_that_are_one_file_by_links) {
    make("a.h5", 1);
    make("b.h5", 2);
    fs::create_directory(folder_ / "runs");
    list("a.h5\nb.h5\n");
    // Both where nothing is yet, and the data of another item.
    fs::create_symlink("a.h5", folder_ / "runs/b.h5");
    const Outcome both = batch({"--overwrite"});
    EXPECT_EQ(both.code, 2);
    EXPECT_NE(both.err.find("runs/b.h5: this output of "), std::string::npos) << both.err;
    fs::remove(folder_ / "runs/b.h5");
    fs::create_symlink("../b.h5", folder_ / "runs/a.h5");
    const auto size = fs::file_size(folder_ / "b.h5");
    EXPECT_EQ(batch({"--overwrite"}).code, 2);
    EXPECT_EQ(fs::file_size(folder_ / "b.h5"), size);
    fs::remove(folder_ / "runs/a.h5");
    fs::create_symlink("a.h5", folder_ / "runs/a.csv");
    const Outcome table = batch({"--overwrite", "--csv"});
    EXPECT_NE(table.out.find("the run and its table would be the same file"), std::string::npos) << table.out;
}

TEST_F(Batch, no_run_replaces_data_that_another_item_reads_by_a_link) {
    make("b.h5", 2);
    fs::create_directory(folder_ / "runs");
    make("runs/b.h5", 3);
    {
        const ks::tests::Hdf5Fixture master(folder_ / "a.h5");
        master.external_link("frames", "runs/b.h5", "/entry/data/data");
    }
    list("a.h5::/frames\nb.h5\n");
    const std::string before = ks::tests::read_file(folder_ / "runs/b.h5");
    const Outcome outcome = batch({"--overwrite"});
    EXPECT_EQ(outcome.code, 2) << outcome.out;
    EXPECT_NE(outcome.err.find("would replace a file that is read as data of "), std::string::npos)
        << outcome.err;
    EXPECT_NE(outcome.err.find("a.h5::/frames leads to it"), std::string::npos) << outcome.err;
    EXPECT_EQ(ks::tests::read_file(folder_ / "runs/b.h5"), before);
    EXPECT_FALSE(there("runs/a_frames.h5"));  // nothing was run
}

/// Frames that end whoever reads them, or keep him for ever.
class DeadlyBatch : public Batch {
  protected:
    void make_deadly(const std::string& name) {
        ks::tests::DeadlyFilter::write(folder_ / name, "/frames", {2, 80, 90});
    }
    ks::tests::DeadlyFilter filter_;
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
    EXPECT_NE(outcome.err.find("1 of 3 files failed"), std::string::npos) << outcome.err;
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
    filter_.hang(number);
    ks::tests::CliProcess process(
        {"batch", "spots", folder_ / "list", "--out", folder_ / "runs", "--variant", "host.sliding"});
    const pid_t reader = written_number(number);
    ASSERT_GT(reader, 0) << process.out() << process.err();
    EXPECT_EQ(kill(reader, 0), 0);
    process.interrupt();
    EXPECT_EQ(process.wait(), 130) << process.err();
    EXPECT_NE(process.err().find("1 of 3 runs was written"), std::string::npos) << process.err();
    EXPECT_NE(kill(reader, 0), 0);
    EXPECT_FALSE(there("runs/b.h5"));
}

TEST_F(DeadlyBatch, a_file_that_hangs_is_a_failure_with_its_reason_and_ends_nothing) {
    make("a.h5", 1);
    make("c.h5", 3);
    make_deadly("b.h5");
    list("a.h5\nb.h5\nc.h5\n");
    filter_.hang(folder_ / "reader");
    const Outcome by_reading = batch({"--read-timeout", "0.6"});
    EXPECT_EQ(by_reading.code, 1);
    EXPECT_NE(by_reading.out.find("2 done, 0 done before, 1 failed\n"), std::string::npos)
        << by_reading.out << by_reading.err;
    EXPECT_NE(by_reading.out.find("b.h5: the HDF5 library made no progress for "), std::string::npos)
        << by_reading.out;
    fs::remove_all(folder_ / "runs");
    const Outcome by_limit = batch({"--read-timeout", "0", "--time-limit", "3"});
    EXPECT_EQ(by_limit.code, 1);
    EXPECT_NE(by_limit.out.find("2 done, 0 done before, 1 failed\n"), std::string::npos)
        << by_limit.out << by_limit.err;
    EXPECT_NE(by_limit.out.find("b.h5: it exceeded --time-limit (3 s)"), std::string::npos) << by_limit.out;
}

TEST_F(DeadlyBatch, a_batch_that_is_killed_leaves_no_process) {
    make_deadly("b.h5");
    list("b.h5\n");
    const std::string number = folder_ / "reader";
    filter_.hang(number);
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
    EXPECT_NE(batch().err.find("expected one file name per line"), std::string::npos);
    list("a.h5\nother/a.h5\n");
    const Outcome twice = batch();
    EXPECT_EQ(twice.code, 2);
    EXPECT_NE(twice.err.find("other/a.h5 would be"), std::string::npos) << twice.err;
    EXPECT_FALSE(there("runs/a.h5"));
    EXPECT_EQ(run_cli({"batch", "spots", folder_ / "none", "--out", folder_ / "runs"}).code, 2);
    list("a.h5\n");
    const Outcome file = run_cli({"batch", "spots", folder_ / "list", "--out", folder_ / "a.h5"});
    EXPECT_EQ(file.code, 2);
    EXPECT_NE(file.err.find("the folder cannot be used"), std::string::npos) << file.err;
    // The run of a.h5 would take its place.
    const Outcome itself =
        run_cli({"batch", "spots", folder_ / "list", "--out", folder_ / "", "--overwrite"});
    EXPECT_EQ(itself.code, 1);
    EXPECT_GT(fs::file_size(folder_ / "a.h5"), 1000U);
    EXPECT_NE(itself.out.find("failed"), std::string::npos) << itself.out;
}

}  // namespace batch_test
