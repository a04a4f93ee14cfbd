// A batch whose files are dealt out to several processes.

#include <gtest/gtest.h>

#include <fstream>
#include <string>

#include <nlohmann/json.hpp>

#include "core/record/saved_run.h"
#include "core/run/registry.h"
#include "tests/mpi/mpi_process.h"

namespace ks::tests {
namespace {

class BatchOverRanks : public testing::Test {
  protected:
    void SetUp() override {
        std::ofstream list(folder_ / "list");
        for (int i = 0; i < 7; ++i) {
            const std::string name = "scan_" + std::to_string(i) + ".h5";
            list << name << "\n";
            if (i == 3) {
                std::ofstream(folder_ / name) << "no frames";
                continue;
            }
            const Outcome made =
                run_cli({"generate", "spots", "--frames", "2", "--height", "80", "--width", "90", "--spots",
                         "20", "--seed", std::to_string(i), "--out", folder_ / name});
            ASSERT_EQ(made.code, 0) << made.err;
        }
    }
    Arguments batch(const std::string& folder) const {
        return {"batch", "spots", folder_ / "list", "--out", folder_ / folder, "--device", "host", "--csv"};
    }
    /// Without times.
    static Arguments log_of(const std::string& out) {
        Arguments lines;
        for (std::size_t at = 0; at < out.size(); at = out.find('\n', at) + 1) {
            const std::string line = out.substr(at, out.find('\n', at) - at);
            const std::size_t done = line.find("done ");
            lines.push_back(line.find('/') < 3 && done != std::string::npos ? line.substr(0, done) + "done"
                                                                            : line);
        }
        return lines;
    }
    TemporaryFolder folder_;
};

TEST_F(BatchOverRanks, runs_and_log_are_those_of_one_process) {
    KS_REQUIRE_MPI();
    const Outcome alone = run_cli(batch("one"));
    EXPECT_EQ(alone.code, 1);
    for (const std::size_t ranks : {2, 4, 8}) {
        const std::string name = std::to_string(ranks);
        const Outcome outcome = run_ranks(ranks, batch(name));
        EXPECT_EQ(outcome.code, 1);
        EXPECT_EQ(log_of(outcome.out), log_of(alone.out));
        EXPECT_EQ(own_lines(outcome.err), own_lines(alone.err)) << outcome.err;
        for (int i = 0; i < 7; ++i) {
            const std::string table = "/scan_" + std::to_string(i) + ".csv";
            const std::string expected = read_file(folder_ / ("one" + table));
            EXPECT_EQ(expected.empty(), i == 3);
            EXPECT_TRUE(expected == read_file(folder_ / (name + table))) << table;
        }
    }
}

TEST_F(BatchOverRanks, what_is_done_is_not_done_again) {
    KS_REQUIRE_MPI();
    EXPECT_EQ(run_ranks(3, batch("runs")).code, 1);
    Arguments again = batch("runs");
    again.emplace_back("--json");
    const Outcome outcome = run_ranks(3, again);
    Arguments states;
    for (const auto& row : nlohmann::json::parse(outcome.out)) states.push_back(row.at("state"));
    EXPECT_EQ(states, (Arguments{"done before", "done before", "done before", "failed", "done before",
                                 "done before", "done before"}));
}

}  // namespace
}  // namespace ks::tests
