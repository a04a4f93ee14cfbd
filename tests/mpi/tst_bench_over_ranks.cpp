// Benchmarks whose runs are made by several processes.

#include <gtest/gtest.h>

#include <string>

#include <nlohmann/json.hpp>

#include "tests/mpi/mpi_process.h"

namespace ks::tests {
namespace {

TEST(BenchOverRanks, variants_pass_their_check_and_a_stage_takes_as_long_as_at_the_slowest_rank) {
    KS_REQUIRE_MPI();
    const TemporaryFolder folder;
    const Outcome outcome =
        run_ranks(3, {"bench", "particles", "--points", "200", "--variants", "host.vector", "--device",
                      "host", "--repeat", "3", "--check", "full", "--json", folder / "bench.json"});
    ASSERT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_NE(outcome.out.find("\n3 ranks: "), std::string::npos) << outcome.out;
    const auto report = nlohmann::json::parse(read_file(folder / "bench.json"));
    for (const auto& row : report.at("variants")) {
        EXPECT_EQ(row.at("verdict").at("state"), "pass");
        ASSERT_EQ(row.at("samples").size(), 3U);
        for (const auto& sample : row.at("samples")) {
            // By the stages of the sample, rank by rank.
            std::map<int, double> host;
            for (const auto& stage : sample.at("stages"))
                if (stage.at("kind") == "host" && stage.contains("device"))
                    host[stage.at("device").get<int>()] += stage.at("nanoseconds").get<double>();
            EXPECT_EQ(host.size(), 3U);
            double longest = 0;
            for (const auto& [rank, time] : host) longest = std::max(longest, time);
            EXPECT_GE(sample.at("kernel_ns").get<double>(), longest);
            EXPECT_GE(sample.at("total_ns").get<double>(), longest);
        }
    }
}

TEST(BenchOverRanks, what_one_process_alone_can_time_is_refused) {
    KS_REQUIRE_MPI();
    for (const Arguments& more : {Arguments{"--from", "file"}, Arguments{"--kernels-only"}}) {
        Arguments all{"bench", "particles", "--repeat", "1"};
        all.insert(all.end(), more.begin(), more.end());
        const Outcome outcome = run_ranks(2, all);
        EXPECT_EQ(outcome.code, 2);
        const Arguments lines = own_lines(outcome.err);
        ASSERT_EQ(lines.size(), 1U) << outcome.err;
        EXPECT_NE(lines[0].find("can only run as one process"), std::string::npos) << lines[0];
    }
}

}  // namespace
}  // namespace ks::tests
