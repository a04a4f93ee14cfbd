// A run by several processes gives what one process gives, byte for byte.

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <string>

#include "core/record/saved_run.h"
#include "core/run/registry.h"
#include "tests/core/io/damaged_stack.h"
#include "tests/mpi/mpi_process.h"
#include "tests/reference_data.h"

namespace ks::tests {
namespace {

/// An analysis of a file, on the device that every machine has.
struct Case {
    const char* name;
    Arguments arguments;
    Arguments generate = {};  ///< of the file that is analysed, where it is not one of tests/data
};

std::ostream& operator<<(std::ostream& out, const Case& one) {
    return out << one.name;
}

Arguments with(Arguments all, const Arguments& more) {
    all.insert(all.end(), more.begin(), more.end());
    return all;
}

bool same_bytes(const Array& a, const Array& b) {
    return a.type() == b.type() && a.shape() == b.shape() && std::ranges::equal(a.bytes(), b.bytes());
}

class SameBytes : public testing::TestWithParam<Case> {
  protected:
    void SetUp() override {
        if (GetParam().generate.empty()) return;
        const Outcome made = run_cli(with(GetParam().generate, {"--out", data_}));
        ASSERT_EQ(made.code, 0) << made.err;
    }
    Arguments writing(const std::string& name) const {
        Arguments all = GetParam().arguments;
        if (!GetParam().generate.empty()) all.insert(all.begin() + 1, data_);
        return with(all, {"--out", folder_ / (name + ".h5"), "--csv", folder_ / (name + ".csv")});
    }
    void expect_same_as_one(const std::string& name) const {
        const Registry registry;
        const ks::Run one = open_run(registry, folder_ / "one.h5"),
                      other = open_run(registry, folder_ / (name + ".h5"));
        ASSERT_EQ(one.result.datasets.size(), other.result.datasets.size());
        ASSERT_FALSE(one.result.datasets.empty());
        for (std::size_t i = 0; i < one.result.datasets.size(); ++i) {
            EXPECT_EQ(one.result.datasets[i].name, other.result.datasets[i].name);
            EXPECT_TRUE(same_bytes(one.result.datasets[i].values, other.result.datasets[i].values))
                << one.result.datasets[i].name;
        }
        EXPECT_EQ(one.result.warnings, other.result.warnings);
        const std::string table = read_file(folder_ / "one.csv");
        EXPECT_GT(table.size(), 100U);
        EXPECT_TRUE(table == read_file(folder_ / (name + ".csv")));
    }
    TemporaryFolder folder_;
    std::string data_ = folder_ / "events.csv";
};

TEST_P(SameBytes, with_1_2_3_4_and_8_ranks) {
    KS_REQUIRE_MPI();
    const Outcome alone = run_cli(writing("one"));
    ASSERT_EQ(alone.code, 0) << alone.err;
    EXPECT_EQ(alone.out.find("ranks:"), std::string::npos);
    for (const std::size_t ranks : {1, 2, 3, 4, 8}) {
        SCOPED_TRACE(ranks);
        const std::string name = std::to_string(ranks);
        const Outcome outcome = run_ranks(ranks, with(writing(name), {"--check", "sample"}));
        ASSERT_EQ(outcome.code, 0) << outcome.out << outcome.err;
        expect_same_as_one(name);
        EXPECT_EQ(outcome.out.find("ranks: " + name + " (") == std::string::npos, ranks == 1) << outcome.out;
        EXPECT_EQ(outcome.out.find("end to end"), outcome.out.rfind("end to end")) << "rank 0 alone prints";
    }
}

std::vector<Case> cases() {
    const std::string xpcs = reference_data("xpcs_rings_u8.h5"), spots = reference_data("spots_rotation.h5"),
                      digis = reference_data("digis_phase1.csv"), points = reference_data("particles_50.csv");
    return {{"xpcs", {"xpcs", xpcs, "--rings", "60,50,5,8,4", "--two-time-bin", "2"}},
            {"xpcs_on_host", {"xpcs", xpcs, "--rings", "60,50,5,8,4", "--device", "host"}},
            {"spots", {"spots", spots, "--all-spots", "--save-signal"}},
            {"spots_on_host", {"spots", spots, "--device", "host"}},
            {"stills", {"spots", spots, "--stills"}},
            {"clusters", {"clusters", digis, "--layout", "phase1"}},
            {"clusters_on_host", {"clusters", digis, "--layout", "phase1", "--device", "host"}},
            {"events",
             {"clusters", "--layout", "phase1"},
             {"generate", "clusters", "--events", "13", "--digis", "900"}},
            {"particles", {"particles", "--sources", points, "--gradient", "on"}},
            {"particles_on_host", {"particles", "--sources", points, "--device", "host"}}};
}

INSTANTIATE_TEST_SUITE_P(OfAll, SameBytes, testing::ValuesIn(cases()),
                         [](const auto& of) { return std::string(of.param.name); });

/// A frame that only one of the ranks reads, and finds damaged.
TEST(SameBytesOfDamagedFrames, are_told_by_the_run_and_left_out_alike) {
    KS_REQUIRE_MPI();
    const TemporaryFolder folder;
    const std::string data = folder / "scan.h5";
    const Outcome made = run_cli({"generate", "spots", "--frames", "9", "--height", "120", "--width", "130",
                                  "--spots", "60", "--out", data});
    ASSERT_EQ(made.code, 0) << made.err;
    damage(data, "/entry/data/data", 4, Damage::truncated);
    damage(data, "/entry/data/data", 8, Damage::truncated);
    const auto run = [&](const std::string& name) {
        return Arguments{"spots", data, "--csv", folder / (name + ".csv"), "--out", folder / (name + ".h5")};
    };
    const Outcome alone = run_cli(run("one"));
    ASSERT_EQ(alone.code, 0) << alone.err;
    ASSERT_NE(alone.err.find("damaged"), std::string::npos) << alone.err;
    const Outcome ranks = run_ranks(3, run("ranks"));
    ASSERT_EQ(ranks.code, 0) << ranks.err;
    EXPECT_EQ(own_lines(ranks.err), own_lines(alone.err));
    EXPECT_TRUE(read_file(folder / "one.csv") == read_file(folder / "ranks.csv"));
    const Registry registry;
    const auto damaged_frames = [&](const std::string& name) {
        return open_run(registry, folder / (name + ".h5"))
            .result.facts.at("damaged_frames")
            .get<std::size_t>();
    };
    EXPECT_EQ(damaged_frames("one"), 2U);
    EXPECT_EQ(damaged_frames("ranks"), 2U);
}

}  // namespace
}  // namespace ks::tests
