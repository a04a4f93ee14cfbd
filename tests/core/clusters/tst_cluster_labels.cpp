// Labels of every host variant against the definition: random and adversarial modules, shuffled input,
// duplicates, invalid digis, charge cuts, overfull modules, many events.

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <map>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "core/clusters/result.h"
#include "tests/core/clusters/cluster_fixture.h"

using namespace ks;
using namespace ks::tests;

namespace {

std::uint32_t below(std::mt19937& random, std::uint32_t end) {
    return static_cast<std::uint32_t>(random() % end);
}

void expect_defined(const ClusterProblem& problem, const std::string& what) {
    const auto expected = labels_by_definition(problem);
    for (const char* variant : {"host.reference", "host.unionfind"})
        EXPECT_TRUE(labels_of(host_run(problem, variant)) == expected) << variant << ", " << what;
}

TEST(ClusterLabels, corners_connect_with_8_neighbours_and_not_with_4) {
    const std::vector<Digi> digis{{0, 5, 5}, {0, 6, 6}, {0, 6, 7}, {1, 5, 6}, {0, 9, 9}};
    const auto eight = problem_of(table_of(digis)), four = problem_of(table_of(digis), "free", {4, {}, {}});
    for (const char* variant : {"host.reference", "host.unionfind"}) {
        EXPECT_EQ(labels_of(host_run(*eight, variant)), (std::vector<std::int32_t>{0, 0, 0, 3, 4}));
        EXPECT_EQ(labels_of(host_run(*four, variant)), (std::vector<std::int32_t>{0, 1, 1, 3, 4}));
    }
}

TEST(ClusterLabels, the_smallest_row_names_a_cluster_wherever_its_module_continues) {
    // rows of module 7 come apart; the last one joins what was two clusters
    const std::vector<Digi> digis{{7, 0, 0}, {2, 0, 0}, {7, 2, 0}, {2, 1, 0}, {7, 1, 1}};
    for (const char* variant : {"host.reference", "host.unionfind"})
        EXPECT_EQ(labels_of(host_run(*problem_of(table_of(digis)), variant)),
                  (std::vector<std::int32_t>{0, 1, 0, 1, 0}));
}

TEST(ClusterDigis, of_many_rows_in_any_order_have_the_slots_of_their_events_and_modules) {
    for (const bool sorted : {true, false})
        for (const char* layout : {"free", "phase1"}) {
            constexpr std::size_t rows = 400'001;
            DigiTable table;
            std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> found;
            for (std::size_t i = 0; i < rows; ++i) {
                const auto event = static_cast<std::uint32_t>(sorted ? i / 30'000 * 3 : i * 7919 % 14 * 3);
                table.event.push_back(event);
                table.module.push_back(static_cast<std::uint32_t>(i * 104'729 % 1856));
                table.x.push_back(static_cast<std::uint16_t>(i % 160));
                table.y.push_back(static_cast<std::uint16_t>(i / 7 % 416));
                table.adc.push_back(static_cast<std::uint32_t>(i % 1000 + 1));
                ++found[{event, table.module.back()}];
            }
            const DigiTable same = table;
            const clusters::ModuleDigis digis(std::move(table), clusters::layout_named(layout), "test");
            EXPECT_EQ(digis.events(), 14U);
            EXPECT_EQ(digis.modules(), found.size());
            EXPECT_EQ(digis.blocks().size(), sorted ? 14U : 1U);
            EXPECT_EQ(digis.largest_adc(), 1000U);
            EXPECT_EQ(digis.invalid(), 0U);
            std::vector<std::uint32_t> counted(digis.slots());
            std::size_t wrong = 0;
            for (std::size_t i = 0; i < rows; ++i) {
                const std::uint32_t slot = digis.slot()[i];
                if (counted[slot]++ == 0)
                    wrong += digis.slot_start()[slot] != static_cast<std::int32_t>(i) ? 1U : 0U;
                wrong +=
                    digis.slot_module()[slot] != same.module[i] || digis.slot_event()[slot] != same.event[i]
                        ? 1U
                        : 0U;
            }
            for (std::size_t slot = 0; slot < digis.slots(); ++slot) {
                const auto of = found.find(
                    {digis.slot_event()[slot], static_cast<std::uint32_t>(digis.slot_module()[slot])});
                wrong += digis.slot_digis()[slot] != (of == found.end() ? 0U : of->second) ? 1U : 0U;
            }
            EXPECT_EQ(wrong, 0U) << layout << ", sorted " << sorted;
            EXPECT_EQ(digis.largest_slot(), *std::ranges::max_element(digis.slot_digis()));
        }
}

TEST(ClusterLabels, modules_do_not_touch_across_the_borders_of_the_grid) {
    // the last pixel of a row and the first of the next, the corners of the module
    const std::vector<Digi> digis{{3, 159, 10}, {3, 0, 11},  {3, 159, 415}, {3, 0, 0},
                                  {4, 0, 0},    {3, 159, 0}, {3, 0, 415}};
    for (const int connectivity : {4, 8})
        for (const char* variant : {"host.reference", "host.unionfind"})
            EXPECT_EQ(
                labels_of(host_run(*problem_of(table_of(digis), "phase1", {connectivity, {}, {}}), variant)),
                (std::vector<std::int32_t>{0, 1, 2, 3, 4, 5, 6}));
}

TEST(ClusterLabels, duplicates_are_kept_in_one_cluster_or_all_dropped) {
    const std::vector<Digi> digis{{0, 1, 1}, {0, 2, 1}, {0, 2, 1}, {0, 3, 1},
                                  {0, 2, 1}, {0, 9, 9}, {0, 9, 9}};
    const auto keep = problem_of(table_of(digis)),
               drop = problem_of(table_of(digis), "free", {8, Duplicates::drop, {}});
    for (const char* variant : {"host.reference", "host.unionfind"}) {
        EXPECT_EQ(labels_of(host_run(*keep, variant)), (std::vector<std::int32_t>{0, 0, 0, 0, 0, 5, 5}));
        EXPECT_EQ(labels_of(host_run(*drop, variant)), (std::vector<std::int32_t>{0, -2, -2, 3, -2, -2, -2}));
    }
}

TEST(ClusterLabels, a_cluster_is_cut_below_the_charge_of_its_layer_and_kept_at_it) {
    std::vector<std::uint32_t> cuts(1856, 4000);
    std::fill_n(cuts.begin(), 96, 2000);
    const std::vector<Digi> digis{
        {95, 0, 0, 1999}, {95, 5, 5, 1000}, {95, 6, 6, 1000}, {96, 0, 0, 3999}, {96, 9, 0, 4000}};
    for (const char* variant : {"host.reference", "host.unionfind"})
        EXPECT_EQ(labels_of(host_run(*problem_of(table_of(digis), "phase1", {8, {}, cuts}), variant)),
                  (std::vector<std::int32_t>{-3, 1, 1, -3, 4}));
}

TEST(ClusterLabels, charges_of_a_cluster_add_up_beyond_32_bits) {
    const std::vector<Digi> digis{{0, 0, 0, 4294967295}, {0, 1, 0, 4294967295}, {0, 9, 9, 5}};
    for (const char* variant : {"host.reference", "host.unionfind"}) {
        const ks::Run run = host_run(*problem_of(table_of(digis), "free", {8, {}, {4294967295}}), variant);
        EXPECT_EQ(labels_of(run), (std::vector<std::int32_t>{0, 0, -3}));
        EXPECT_EQ(run.result.at("cluster_charge").values.as<std::uint64_t>()[0], 8589934590U);
    }
}

TEST(ClusterLabels, invalid_modules_belong_to_the_layout) {
    const std::vector<Digi> digis{{9999, 3, 3}, {0, 3, 3}, {65534, 9, 9}, {0, 4, 3}};
    for (const char* variant : {"host.reference", "host.unionfind"}) {
        EXPECT_EQ(labels_of(host_run(*problem_of(table_of(digis), "phase1"), variant)),
                  (std::vector<std::int32_t>{-1, 1, -1, 1}));
        EXPECT_EQ(labels_of(host_run(*problem_of(table_of(digis), "free"), variant)),
                  (std::vector<std::int32_t>{0, 1, 2, 1}));
    }
}

TEST(ClusterLabels, one_digi_all_invalid_and_all_duplicates) {
    for (const char* variant : {"host.reference", "host.unionfind"}) {
        EXPECT_EQ(labels_of(host_run(*problem_of(table_of({{2147483647, 65535, 65535}})), variant)),
                  (std::vector<std::int32_t>{0}));
        const ks::Run invalid =
            host_run(*problem_of(table_of({{9999, 1, 1}, {65534, 1, 1}}), "phase1"), variant);
        EXPECT_EQ(labels_of(invalid), (std::vector<std::int32_t>{-1, -1}));
        EXPECT_EQ(invalid.result.at("cluster_label").values.size(), 0U);
        const ks::Run twice = host_run(
            *problem_of(table_of({{5, 1, 1}, {5, 1, 1}}), "phase1", {8, Duplicates::drop, {}}), variant);
        EXPECT_EQ(labels_of(twice), (std::vector<std::int32_t>{-2, -2}));
        EXPECT_EQ(twice.result.facts["duplicates"], 2);
    }
}

TEST(ClusterLabels, random_events_with_duplicates_and_invalid_digis) {
    for (const int connectivity : {8, 4})
        for (const auto duplicates : {Duplicates::keep, Duplicates::drop})
            for (const std::uint32_t cut : {0U, 9000U}) {
                const DigiTable digis = events_of("phase1", "random", 40, 4000, 3, 300, 100);
                const std::vector<std::uint32_t> cuts(cut == 0 ? 0 : 1856, cut);
                expect_defined(
                    *problem_of(digis, "phase1", {connectivity, duplicates, cuts}),
                    "connectivity " + std::to_string(connectivity) + ", cut " + std::to_string(cut));
            }
}

TEST(ClusterLabels, crowded_modules_of_random_digis) {
    std::mt19937 random(7);
    for (const std::uint32_t density : {2U, 3U, 5U, 10U}) {
        std::vector<Digi> digis;
        for (int module = 0; module < 3; ++module)
            for (int x = 0; x < 70; ++x)
                for (int y = 0; y < 50; ++y)
                    if (random() % density == 0)
                        digis.push_back({static_cast<std::uint32_t>(module), x, y, 1 + below(random, 50)});
        std::ranges::shuffle(digis, random);
        for (const int connectivity : {8, 4})
            expect_defined(*problem_of(table_of(digis), "timepix", {connectivity, {}, {}}),
                           "one in " + std::to_string(density));
    }
}

class ClusterShapes : public testing::TestWithParam<std::string> {};

TEST_P(ClusterShapes, adversarial_modules_shuffled) {
    for (const int connectivity : {8, 4})
        for (const auto duplicates : {Duplicates::keep, Duplicates::drop})
            expect_defined(*problem_of(events_of("phase1", GetParam(), 2, 7801), "phase1",
                                       {connectivity, duplicates, {}}),
                           GetParam());
}

INSTANTIATE_TEST_SUITE_P(Shapes, ClusterShapes,
                         testing::Values("snake", "spiral", "comb", "checker", "full", "frame", "overfull"));

TEST(ClusterLabels, modules_around_64_digis_which_are_compared_pair_by_pair) {
    for (const std::size_t digis : {1UL, 2UL, 31UL, 32UL, 33UL, 63UL, 64UL, 65UL, 100UL})
        for (const char* shape : {"random", "snake", "spiral", "comb", "checker"})
            for (const auto duplicates : {Duplicates::keep, Duplicates::drop})
                for (const int connectivity : {8, 4})
                    expect_defined(*problem_of(events_of("free", shape, 7, 7 * digis, 3, 5), "free",
                                               {connectivity, duplicates, {}}),
                                   std::string(shape) + ' ' + std::to_string(digis));
}

TEST(ClusterLabels, modules_of_7000_and_60000_digis_and_beyond_16_bits_of_places) {
    for (const std::size_t digis : {7000UL, 60000UL, 65534UL, 65535UL, 65536UL, 66000UL})
        expect_defined(*problem_of(events_of("phase1", "full", 1, digis), "phase1"), std::to_string(digis));
    expect_defined(*problem_of(events_of("phase1", "overfull", 1, 0), "phase1"), "overfull, kept");
    expect_defined(*problem_of(events_of("phase1", "overfull", 1, 0), "phase1", {8, Duplicates::drop, {}}),
                   "dropped");
}

TEST(ClusterLabels, modules_too_large_for_a_grid) {
    std::mt19937 random(3);
    std::vector<Digi> digis{{1, 65535, 65535}, {1, 0, 0}};
    for (int i = 0; i < 3000; ++i)
        digis.push_back(
            {below(random, 3), 60000 + static_cast<int>(random() % 60), static_cast<int>(random() % 60)});
    std::ranges::shuffle(digis, random);
    for (const int connectivity : {8, 4})
        for (const auto duplicates : {Duplicates::keep, Duplicates::drop})
            expect_defined(*problem_of(table_of(digis), "free", {connectivity, duplicates, {}}), "sparse");
}

TEST(ClusterLabels, events_may_be_interleaved_and_have_any_numbers) {
    std::mt19937 random(11);
    std::vector<Digi> digis;
    for (int i = 0; i < 2000; ++i)
        digis.push_back({below(random, 5), static_cast<int>(random() % 30), static_cast<int>(random() % 30),
                         1, below(random, 3) * 2000000000U});
    expect_defined(*problem_of(table_of(digis, true), "phase1"), "interleaved, fixed layout");
    expect_defined(*problem_of(table_of(digis, true), "free"), "interleaved, free layout");
    std::ranges::stable_sort(digis, {}, &Digi::event);
    const auto sorted = problem_of(table_of(digis, true), "phase1");
    EXPECT_EQ(sorted->shared()->blocks().size(), 3U);
    expect_defined(*sorted, "one after another");
}

TEST(ClusterLabels, ten_million_digis_in_one_module) {
    constexpr std::uint16_t size = 3163;  // two halves with an empty column between them
    DigiTable digis;
    for (std::uint32_t i = 0; i < std::uint32_t{size} * size; ++i) {
        const auto x = static_cast<std::uint16_t>(i * 48271ULL % size),
                   y = static_cast<std::uint16_t>(i / size);
        if (x == 1500) continue;
        digis.module.push_back(2147483647);
        digis.x.push_back(x);
        digis.y.push_back(y);
        digis.adc.push_back(3);
    }
    ASSERT_GT(digis.size(), 10'000'000U);
    std::vector<std::int32_t> expected(digis.size());
    std::int32_t left = -1, right = -1;
    for (std::size_t row = 0; row < digis.size(); ++row) {
        std::int32_t& first = digis.x[row] < 1500 ? left : right;
        if (first < 0) first = static_cast<std::int32_t>(row);
        expected[row] = first;
    }
    const auto problem = problem_of(std::move(digis));
    const ks::Run run = host_run(*problem, "host.unionfind");
    EXPECT_TRUE(labels_of(run) == expected);
    const auto sizes = run.result.at("cluster_size").values.as<std::uint32_t>();
    ASSERT_EQ(sizes.size(), 2U);
    EXPECT_EQ(sizes[0] + sizes[1], problem->digis());
}

TEST(ClusterLabels, the_same_bytes_every_time) {
    const auto problem = problem_of(events_of("phase1", "random", 100, 9000, 5, 50, 50), "phase1");
    const auto first = labels_of(host_run(*problem, "host.unionfind"));
    for (int i = 0; i < 10; ++i) EXPECT_TRUE(labels_of(host_run(*problem, "host.unionfind")) == first);
}

}  // namespace
