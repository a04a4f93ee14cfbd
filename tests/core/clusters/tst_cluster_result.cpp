// What a result says beside labels: the table of clusters, modules, facts; and labels that are refused.

#include <gtest/gtest.h>

#include <vector>

#include "core/base/error.h"
#include "core/clusters/result.h"
#include "tests/core/clusters/cluster_fixture.h"

using namespace ks;
using namespace ks::tests;
using clusters::Cluster;

namespace {

Result result_of(const ClusterProblem& problem, const std::vector<std::int32_t>& labels) {
    std::vector<Timing> timings;
    return clusters::to_result(problem, Array::of<std::int32_t>({labels.size()}, labels), timings);
}

std::string refusal(const ClusterProblem& problem, const std::vector<std::int32_t>& labels) {
    try {
        result_of(problem, labels);
    } catch (const Error& error) {
        EXPECT_EQ(error.kind(), ErrorKind::run);
        return error.what();
    }
    return {};
}

TEST(ClusterResult, the_table_has_size_charge_centroid_and_inclusive_box) {
    // centroid: pixel 10 has its centre at 10.5; weights 1 and 3
    const auto problem = problem_of(
        table_of({{4, 10, 20, 1}, {9999, 0, 0, 7}, {2, 5, 5, 0}, {4, 11, 21, 3}, {2, 6, 5, 0}}), "phase1");
    const Result result = result_of(*problem, {0, -1, 2, 0, 2});
    const std::vector<Cluster> expected{{0, 4, 0, 2, 4, 11.25, 21.25, 10, 11, 20, 21},
                                        {2, 2, 0, 2, 0, 6.0, 5.5, 5, 6, 5, 5}};  // no charge: all weigh alike
    EXPECT_EQ(clusters::clusters_of(result), expected);
    EXPECT_EQ(expected[0].width_x(), 2U);
    EXPECT_EQ(expected[1].width_y(), 1U);
    EXPECT_EQ(result.facts["clusters"], 2);
    EXPECT_EQ(result.facts["invalid"], 1);
    EXPECT_EQ(result.facts["modules"], 2);
}

TEST(ClusterResult, modules_have_their_first_digi_their_digis_and_clusters) {
    const auto problem = problem_of(table_of(
        {{7, 0, 0, 1, 5}, {3, 0, 0, 1, 5}, {7, 9, 0, 1, 5}, {7, 0, 0, 1, 6}, {3, 1, 0, 1, 5}}, true));
    const Result result = result_of(*problem, {0, 1, 2, 3, 1});
    const auto column = [&result](const char* name) { return result.at(name).values.to_doubles(); };
    using Values = std::vector<double>;
    EXPECT_EQ(column("module_event"), (Values{5, 5, 6}));
    EXPECT_EQ(column("module_id"), (Values{3, 7, 7}));
    EXPECT_EQ(column("module_start"), (Values{1, 0, 3}));
    EXPECT_EQ(column("module_digis"), (Values{2, 2, 1}));
    EXPECT_EQ(column("module_clusters"), (Values{1, 2, 1}));
    EXPECT_EQ(clusters::clusters_of(result)[3].event, 6U);
    EXPECT_EQ(result.facts["events"], 2);
}

TEST(ClusterResult, a_fixed_layout_tells_of_every_module) {
    const auto problem = problem_of(table_of({{1855, 0, 0}, {9999, 1, 1}}), "phase1");
    const Result result = result_of(*problem, {0, -1});
    const auto start = result.at("module_start").values.as<std::int32_t>();
    ASSERT_EQ(start.size(), 1856U);
    EXPECT_EQ(start[0], -1);
    EXPECT_EQ(start[1855], 0);
}

TEST(ClusterResult, module_ids_of_more_than_32_bits_come_back) {
    DigiTable digis = table_of({{1, 0, 0}, {0, 3, 3}});
    digis.module_ids = {144115188075856001, 1224979098644774913};
    const Result result = result_of(*problem_of(digis), {0, 1});
    EXPECT_EQ(clusters::clusters_of(result)[0].module, 1224979098644774913U);
    EXPECT_EQ(clusters::clusters_of(result)[1].module, 144115188075856001U);
}

TEST(ClusterResult, labels_that_are_none_are_refused) {
    const auto problem = problem_of(table_of({{0, 0, 0}, {0, 1, 0}, {1, 0, 0}, {9999, 0, 0}}), "phase1");
    EXPECT_EQ(refusal(*problem, {0, 0, 2, -1}), "");
    EXPECT_NE(refusal(*problem, {1, 1, 2, -1}), "") << "not the smallest";
    EXPECT_NE(refusal(*problem, {-3, 0, 2, -1}), "") << "named by a digi of no cluster";
    EXPECT_NE(refusal(*problem, {0, 0, 0, -1}), "") << "another module";
    EXPECT_NE(refusal(*problem, {0, 0, 2, 2}), "") << "an invalid digi with a label";
    EXPECT_NE(refusal(*problem, {0, 0, 2, 3}), "") << "an invalid digi with a label of its own";
    EXPECT_NE(refusal(*problem, {0, -1, 2, -1}), "") << "a valid digi without one";
    EXPECT_NE(refusal(*problem, {0, 0, 2147483647, -1}), "") << "no row";
    EXPECT_NE(refusal(*problem, {0, -4, 2, -1}), "") << "no status";
    EXPECT_NE(refusal(*problem, {0, 0, 2}), "") << "too few";
}

TEST(ClusterResult, centroids_of_sums_beyond_double_are_rounded_once) {
    constexpr std::uint32_t charge = 1U << 31;
    std::vector<Digi> digis;
    for (int i = 0; i < 64; ++i) digis.push_back({0, 65535, i, charge});
    for (int i = 0; i < 64; ++i) digis.push_back({0, 65534, i, i == 63 ? 1 : charge});
    const auto problem = problem_of(table_of(digis));
    ASSERT_GT(problem->shared()->moment_bits(), 53U);
    const Result result = result_of(*problem, std::vector<std::int32_t>(digis.size(), 0));
    __extension__ using Wide = unsigned __int128;
    Wide sum = 0, weight = 0;
    for (const Digi& digi : digis) {
        sum += Wide{digi.adc} * static_cast<unsigned>(digi.x);
        weight += digi.adc;
    }
    EXPECT_EQ(clusters::clusters_of(result)[0].x,
              static_cast<double>(sum) / static_cast<double>(weight) + 0.5);
}

TEST(ClusterResult, what_follows_from_the_digis_alone_is_shared_with_them) {
    const auto problem = problem_of(table_of({{7, 0, 0, 1, 5}, {3, 0, 0, 1, 6}}, true));
    const Result result = result_of(*problem, {0, 1});
    EXPECT_EQ(result.at("digi_module").values.bytes().data(),
              problem->shared()->module_column().bytes().data());
    EXPECT_EQ(result.at("module_start").values.bytes().data(),
              problem->shared()->slot_columns().start.bytes().data());
}

TEST(ClusterResult, events_one_after_another_give_the_table_of_one_pass) {
    const DigiTable digis = events_of("phase1", "random", 50, 3000, 7);
    DigiTable one = digis;  // the same digis as modules of one event
    one.event.clear();
    for (std::size_t row = 0; row < one.size(); ++row) one.module[row] += digis.event[row] * 50;
    const auto separate = host_run(*problem_of(digis, "phase1"), "host.unionfind");
    const auto together = host_run(*problem_of(one, "free"), "host.unionfind");
    auto a = clusters::clusters_of(separate.result), b = clusters::clusters_of(together.result);
    for (Cluster& cluster : a) {
        cluster.module += cluster.event * 50;
        cluster.event = 0;
    }
    EXPECT_EQ(a, b);
}

}  // namespace
