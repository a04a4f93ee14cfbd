// Generated events have what was asked for.

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>

#include "core/clusters/result.h"
#include "core/io/digis/digi_file.h"
#include "tests/core/clusters/cluster_fixture.h"
#include "tests/core/io/io_fixture.h"

using namespace ks;
using namespace ks::tests;

namespace {

ParameterSet sizes(const ParameterSet& given) {
    return checked(clusters::make_analyses().front().info().benchmark, given);
}

std::shared_ptr<const ClusterProblem> benchmark(const ParameterSet& given) {
    return std::dynamic_pointer_cast<const ClusterProblem>(
        clusters::make_analyses().front().benchmark_problem(sizes(given)));
}

TEST(ClusterGenerator, the_benchmark_has_distinct_events_of_43000_shuffled_digis_and_17000_clusters) {
    const auto problem = benchmark({{"events", std::int64_t{3}}});
    EXPECT_EQ(problem->digis(), 3U * 43000);
    EXPECT_EQ(problem->slots(), 3U * 1856);
    EXPECT_EQ(problem->shared()->blocks().size(), 3U);
    EXPECT_TRUE(problem->drops_duplicates());
    const ks::Run run = host_run(*problem, "host.reference");
    std::map<std::uint32_t, std::size_t> clusters;
    for (const auto& cluster : clusters::clusters_of(run.result)) ++clusters[cluster.event];
    for (const auto& [event, count] : clusters) EXPECT_EQ(count, 17000U) << event;
    EXPECT_EQ(clusters.size(), 3U);
    EXPECT_EQ(run.result.facts["duplicates"], 0);
    const auto& table = problem->shared()->table();
    EXPECT_FALSE(std::equal(table.x.begin(), table.x.begin() + 43000, table.x.begin() + 43000)) << "distinct";
    EXPECT_FALSE(std::is_sorted(table.module.begin(), table.module.begin() + 43000)) << "shuffled";
}

TEST(ClusterGenerator, every_shape_fills_one_module_with_distinct_pixels_of_one_kind) {
    for (const std::string& shape : clusters::shape_names()) {
        if (shape == "random") continue;
        const auto problem =
            benchmark({{"events", std::int64_t{1}}, {"shape", shape}, {"duplicates", std::string("keep")}});
        std::set<std::pair<int, int>> pixels;
        for (std::size_t i = 0; i < problem->digis(); ++i) pixels.insert({problem->x()[i], problem->y()[i]});
        if (shape == "overfull")
            EXPECT_GT(problem->digis(), 66560U);
        else
            EXPECT_EQ(pixels.size(), problem->digis()) << shape;
        EXPECT_EQ(problem->shared()->largest_slot(), problem->digis()) << shape;
        const auto labels = labels_of(host_run(*problem, "host.reference"));
        const bool one = std::ranges::all_of(labels, [](std::int32_t label) { return label == 0; });
        EXPECT_EQ(one, shape != "frame") << shape;  // borders inside each other
    }
}

/// A path: every pixel but the ends has two neighbours, however it is looked at.
TEST(ClusterGenerator, the_spiral_of_3900_pixels_is_a_path) {
    const auto pixels = clusters::shape_pixels("spiral", 88, 88);
    EXPECT_GE(pixels.size(), 3900U);
    const std::set<std::pair<std::uint16_t, std::uint16_t>> all(pixels.begin(), pixels.end());
    std::size_t ends = 0;
    for (const auto& [x, y] : pixels) {
        int neighbours = 0;
        for (const auto& [dx, dy] : {std::pair{1, 0}, {-1, 0}, {0, 1}, {0, -1}})
            neighbours += static_cast<int>(
                all.contains({static_cast<std::uint16_t>(x + dx), static_cast<std::uint16_t>(y + dy)}));
        EXPECT_LE(neighbours, 2);
        ends += neighbours == 1 ? 1U : 0U;
    }
    EXPECT_EQ(ends, 2U);
}

TEST(ClusterGenerator, a_seed_gives_the_same_digis_again_and_another_seed_others) {
    const auto digis = [](std::int64_t seed) {
        return benchmark({{"events", std::int64_t{2}}, {"digis", std::int64_t{500}}, {"seed", seed}})
            ->shared()
            ->table();
    };
    EXPECT_EQ(digis(5), digis(5));
    EXPECT_NE(digis(5), digis(6));
}

TEST(ClusterGenerator, repeated_and_invalid_digis_come_on_top) {
    const auto problem = benchmark({{"events", std::int64_t{1}},
                                    {"digis", std::int64_t{1000}},
                                    {"repeated", std::int64_t{20}},
                                    {"invalid", std::int64_t{30}},
                                    {"duplicates", std::string("drop")}});
    EXPECT_EQ(problem->digis(), 1050U);
    const ks::Run run = host_run(*problem, "host.unionfind");
    EXPECT_EQ(run.result.facts["invalid"], 30);
    EXPECT_GE(run.result.facts["duplicates"].get<int>(), 21);
    EXPECT_LE(run.result.facts["duplicates"].get<int>(), 40);
}

/// Pixels and charges of a module, in order.
using Charges = std::map<std::pair<int, int>, std::uint32_t>;
Charges critical_module(const char* critical, const char* layout, std::int64_t extent_y) {
    const auto problem = benchmark({{"events", std::int64_t{1}},
                                    {"modules", std::int64_t{2}},
                                    {"digis", std::int64_t{50}},
                                    {"layout", std::string(layout)},
                                    {"extent_x", std::int64_t{65536}},
                                    {"extent_y", extent_y},
                                    {"critical", std::string(critical)}});
    const ks::DigiTable& all = problem->shared()->table();
    Charges found;
    for (std::size_t row = 0; row < all.size(); ++row)
        if (all.module[row] == 2) found[{all.x[row], all.y[row]}] = all.adc[row];
    return found;
}

TEST(ClusterGenerator, critical_digis_are_in_a_module_of_their_own) {
    EXPECT_TRUE(critical_module("none", "free", 8).empty());
    const Charges some = critical_module("16_bits", "free", 8);
    for (const auto& corner :
         std::vector<std::pair<int, int>>{{0, 0}, {0, 1}, {0, 2}, {65535, 0}, {0, 7}, {65535, 7}})
        EXPECT_TRUE(some.contains(corner)) << corner.first << ", " << corner.second;
    EXPECT_EQ(some.at({32768, 2}), 70000U);
    EXPECT_EQ(some.at({32768, 4}), 2147483648U);
    EXPECT_FALSE(some.contains({32769, 4}));
    for (const auto& last : std::vector<std::pair<int, int>>{
             {3, 7}, {4, 7}, {65535, 2}, {65535, 3}, {65534, 7}, {65535, 6}, {65534, 6}})
        EXPECT_TRUE(some.contains(last)) << last.first << ", " << last.second;
    Charges more = critical_module("32_bits", "free", 8);
    EXPECT_EQ(more.at({32768, 4}), 2147483648U);
    EXPECT_EQ(more.at({32769, 4}), 2147483648U);
    more.erase({32769, 4});
    EXPECT_EQ(more, some);
    EXPECT_EQ(critical_module("16_bits", "phase1", 8).size(), some.size());
    EXPECT_TRUE(contains(input_error([] { critical_module("16_bits", "free", 7); }), {"critical", "8 x 8"}));
}

/// Counts at first what a list of later neighbours would hold, in the order of columns: digis at a pixel
/// beside another one, before one that does not touch them; then neighbours of any order around a pixel.
TEST(ClusterGenerator, critical_lists_are_longer_than_a_kernel_may_expect) {
    const auto problem = benchmark({{"events", std::int64_t{1}},
                                    {"modules", std::int64_t{1}},
                                    {"digis", std::int64_t{20}},
                                    {"layout", std::string("free")},
                                    {"extent_x", std::int64_t{8}},
                                    {"extent_y", std::int64_t{65536}},
                                    {"critical", std::string("lists")}});
    const ks::DigiTable& all = problem->shared()->table();
    std::map<std::pair<int, int>, int> digis;
    std::size_t total = 0;
    for (std::size_t row = 0; row < all.size(); ++row)
        if (all.module[row] == 1) {
            ++digis[{all.x[row], all.y[row]}];
            ++total;
        }
    EXPECT_GT(total, 1500U);
    EXPECT_LE(total, 2048U);  // in local memory
    const auto at = [&](int x, int y) {
        const auto found = digis.find({x, y});
        return found == digis.end() ? 0 : found->second;
    };
    std::size_t before = 0, after = 0, rings = 0;
    for (const auto& [pixel, count] : digis) {
        const auto [x, y] = pixel;
        before += at(x - 1, y + 1) > 16 && at(x, y + 1) == 0 && at(x + 1, y + 1) == 1 ? 1 : 0;
        after += at(x + 1, y + 1) > 16 && at(x, y + 1) == 0 && at(x - 1, y + 1) == 1 ? 1 : 0;
        int around = 0;
        bool lonely = false;
        for (int dy = -1; dy <= 1; ++dy)
            for (int dx = -1; dx <= 1; ++dx) {
                if ((dx == 0 && dy == 0) || at(x + dx, y + dy) == 0) continue;
                ++around;
                int of_it = 0;
                for (int v = -1; v <= 1; ++v)
                    for (int u = -1; u <= 1; ++u) of_it += at(x + dx + u, y + dy + v) > 0 ? 1 : 0;
                lonely = lonely || of_it == 2;  // itself and the middle
            }
        rings += around == 6 && lonely ? 1 : 0;
    }
    EXPECT_GE(before, 2U);
    EXPECT_GE(after, 2U);
    EXPECT_EQ(rings, 200U);
    const ks::Run run = host_run(*problem, "host.reference");
    std::size_t of_module = 0;
    for (const auto& cluster : clusters::clusters_of(run.result)) of_module += cluster.module == 1 ? 1 : 0;
    EXPECT_EQ(of_module, 212U);  // one per pattern
}

TEST(ClusterGenerator, what_does_not_fit_is_refused) {
    const auto refused = [](const ParameterSet& given, std::vector<std::string> words) {
        EXPECT_TRUE(contains(input_error([&] { benchmark(given); }), words));
    };
    refused({{"shape", std::string("spiral")}, {"digis", std::int64_t{60000}}},
            {"spiral", "60000", "160 x 416"});
    refused({{"modules", std::int64_t{1857}}}, {"modules", "1856"});
    refused({{"clusters", std::int64_t{43001}}}, {"clusters", "43001"});
    refused(
        {{"layout", std::string("timepix")}, {"modules", std::int64_t{1}}, {"digis", std::int64_t{40000}}},
        {"40000"});
    refused({{"layout", std::string("timepix")}, {"invalid", std::int64_t{1}}}, {"invalid", "timepix"});
}

using ClusterGeneratorFile = IoTest;

TEST_F(ClusterGeneratorFile, files_of_both_kinds_hold_the_same_digis) {
    const Analysis analysis = clusters::make_analyses().front();
    const ParameterSet set{
        {"events", std::int64_t{2}}, {"digis", std::int64_t{300}}, {"invalid", std::int64_t{3}}};
    Progress progress;
    analysis.generate(set, at("digis.csv"), false, progress);
    analysis.generate(set, at("digis.h5"), false, progress);
    const DigiTable csv = io::read_digis(at("digis.csv"), {}, progress).digis;
    EXPECT_EQ(csv.size(), 606U);
    EXPECT_TRUE(csv.has_events());
    EXPECT_EQ(csv, io::read_digis(at("digis.h5"), {}, progress).digis);
}

}  // namespace
