// Every OpenCL variant of the clusters, on every device that is found, against the definition.

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "core/base/error.h"
#include "tests/gpu/clusters/clusters_device.h"

using namespace ks;
using namespace ks::tests;
using ks::clusters::ModuleDigis;

namespace {

using ProblemPtr = std::shared_ptr<const ClusterProblem>;

/// Digis at random pixels: many touch, and some share a pixel.
DigiTable soup(std::size_t n, std::uint32_t modules, int extent_x, int extent_y, unsigned seed) {
    std::mt19937 random(seed);
    std::vector<Digi> digis;
    for (std::size_t i = 0; i < n; ++i)
        digis.push_back({static_cast<std::uint32_t>(random() % modules),
                         static_cast<int>(random() % static_cast<unsigned>(extent_x)),
                         static_cast<int>(random() % static_cast<unsigned>(extent_y)),
                         static_cast<std::uint32_t>(500 + 10 * (random() % 100))});
    return table_of(digis);
}

ClusterSettings settings_of(int connectivity, Duplicates duplicates, std::vector<std::uint32_t> cuts = {}) {
    ClusterSettings settings;
    settings.connectivity = connectivity;
    settings.duplicates = duplicates;
    settings.charge_cuts = std::move(cuts);
    return settings;
}

class ClustersVariant : public ::testing::TestWithParam<const char*> {
  protected:
    void SetUp() override { ASSERT_FALSE(test_devices().empty()) << "no OpenCL device"; }

    void expect_settings(const DigiTable& digis, const std::string& what, std::uint32_t cut,
                         const Defines& defines = {}) {
        const std::vector<std::uint32_t> cuts{cut};
        const std::pair<const char*, ClusterSettings> all[] = {
            {"4-connected, kept", settings_of(4, Duplicates::keep)},
            {"8-connected, dropped", settings_of(8, Duplicates::drop)},
            {"8-connected, kept, cut", settings_of(8, Duplicates::keep, cuts)},
            {"4-connected, dropped, cut", settings_of(4, Duplicates::drop, cuts)}};
        for (const auto& [name, settings] : all)
            expect_definition(GetParam(), *problem_of(digis, "free", settings), what + ", " + name, defines);
    }
};

TEST_P(ClustersVariant, random_modules_of_all_densities) {
    expect_settings(soup(900, 7, 20, 30, 1), "dense", 2500);
    expect_settings(soup(4000, 40, 160, 416, 2), "sparse", 900);
    expect_settings(soup(3000, 1, 40, 40, 3), "one full module", 5000);
    expect_settings(soup(60, 60, 3, 3, 4), "single digis", 700);
}

TEST_P(ClustersVariant, coordinates_up_to_the_ends_of_16_bits) {
    DigiTable digis = soup(400, 2, 9, 9, 5);
    for (std::size_t i = 0; i < digis.size(); ++i) {
        if (i % 2 == 0) digis.x[i] = static_cast<std::uint16_t>(65535 - digis.x[i]);
        if (i % 3 == 0) digis.y[i] = static_cast<std::uint16_t>(65535 - digis.y[i]);
    }
    expect_settings(digis, "corners", 2000);
}

TEST_P(ClustersVariant, adversarial_modules) {
    for (const char* shape : {"snake", "spiral", "comb", "checker", "full", "frame", "overfull"}) {
        const DigiTable digis = events_of("phase1", shape, 1, 3900, 2);
        expect_definition(GetParam(), *problem_of(digis, "phase1", settings_of(8, Duplicates::drop)), shape);
        expect_definition(GetParam(), *problem_of(digis, "phase1", settings_of(4, Duplicates::keep)), shape);
    }
}

TEST_P(ClustersVariant, a_detector_with_duplicates_invalid_digis_and_its_charge_cuts) {
    const DigiTable digis = events_of("phase1", "random", 1856, 9000, 3, 400, 300);
    std::vector<std::uint32_t> cuts(1856, 4000);
    std::fill_n(cuts.begin(), 96, 2000);
    const ks::Run run = expect_definition(
        GetParam(), *problem_of(digis, "phase1", settings_of(8, Duplicates::drop, cuts)), "detector");
    EXPECT_EQ(run.result.facts.at("invalid"), 900);
    EXPECT_GT(run.result.facts.at("duplicates"), 2000);
    EXPECT_GT(run.result.facts.at("cut"), 0);
}

TEST_P(ClustersVariant, modules_of_7000_and_60000_digis_are_not_cut) {
    DigiTable digis = soup(7000, 1, 160, 416, 8);
    const DigiTable large = soup(60000, 1, 400, 500, 9), small = soup(500, 20, 160, 416, 10);
    for (const auto& [other, first] : {std::pair(&large, 1U), std::pair(&small, 2U)})
        for (std::size_t i = 0; i < other->size(); ++i) {
            digis.module.push_back(first + other->module[i]);
            digis.x.push_back(other->x[i]);
            digis.y.push_back(other->y[i]);
            digis.adc.push_back(other->adc[i]);
        }
    expect_definition(GetParam(), *problem_of(digis, "free", settings_of(8, Duplicates::keep, {3000})),
                      "kept");
    const ks::Run run = expect_definition(
        GetParam(), *problem_of(digis, "free", settings_of(8, Duplicates::drop)), "dropped");
    const int over = has_limit(clusters_row(GetParam()).info) ? 2 : 0;
    EXPECT_EQ(run.result.facts.at("general_path_modules"), over);
}

TEST_P(ClustersVariant, a_path_of_20000_digis_in_order) {
    for (const bool backwards : {false, true}) {
        std::vector<Digi> digis;
        for (const auto& [x, y] : clusters::shape_pixels("snake", 200, 200)) digis.push_back({0, x, y});
        digis.resize(std::min<std::size_t>(digis.size(), 20000));
        if (backwards) std::ranges::reverse(digis);
        expect_definition(GetParam(), *problem_of(table_of(digis), "free"), "a path");
    }
}

TEST_P(ClustersVariant, charges_beyond_32_bits) {
    DigiTable digis = soup(900, 3, 20, 30, 11);
    for (std::size_t i = 0; i < digis.size(); ++i) digis.adc[i] = i % 3 == 0 ? 4000000000U : 10U;
    expect_settings(digis, "large charges", 4100000000U);
}

TEST_P(ClustersVariant, many_events_of_which_some_are_empty_of_valid_digis) {
    std::vector<Digi> digis;
    std::mt19937 random(12);
    for (std::uint32_t event = 0; event < 60; ++event)
        for (int i = 0; i < static_cast<int>(event % 7) * 20 + 1; ++i)
            digis.push_back({event % 9 == 4 ? 9999U : 100 + static_cast<std::uint32_t>(random() % 4),
                             static_cast<int>(random() % 20), static_cast<int>(random() % 20), 100,
                             1000 - event / 2 * 3});
    for (const bool sorted : {false, true}) {
        if (sorted) std::ranges::stable_sort(digis, {}, &Digi::event);
        const ProblemPtr problem =
            problem_of(table_of(digis, true), "phase1", settings_of(8, Duplicates::keep));
        EXPECT_EQ(problem->shared()->blocks().size() > 1, sorted);
        expect_definition(GetParam(), *problem, sorted ? "sorted events" : "unsorted events");
    }
}

TEST_P(ClustersVariant, the_least_that_there_can_be) {
    const auto expect = [&](const DigiTable& digis, const char* what) {
        expect_definition(GetParam(), *problem_of(digis, "phase1", settings_of(8, Duplicates::drop)), what);
    };
    expect(table_of({}), "no digi");
    expect(table_of({{3, 4, 5}}), "one digi");
    expect(table_of({{9999, 4, 5}, {65534, 4, 5}}), "all invalid");
    expect(table_of({{3, 4, 5}, {3, 4, 5}, {3, 4, 5}}), "all duplicates");
    expect(table_of({{3, 4, 5}, {4, 4, 5}, {3, 5, 6}}), "two modules");
}

TEST_P(ClustersVariant, many_digis_at_one_pixel) {
    DigiTable digis = soup(3000, 1, 1, 1, 1);
    const DigiTable around = soup(200, 1, 6, 6, 2);
    for (std::size_t i = 0; i < around.size(); ++i) {
        digis.module.push_back(0);
        digis.x.push_back(around.x[i]);
        digis.y.push_back(around.y[i]);
        digis.adc.push_back(1);
    }
    expect_settings(digis, "a heap", 100);
}

TEST_P(ClustersVariant, what_is_over_a_small_limit_takes_the_general_path) {
    const std::string variant = GetParam();
    const Variant row = clusters_row(variant).info;
    if (!has_limit(row)) GTEST_SKIP() << "has no limit";
    Defines tiny{{"LIMIT", "16"}, {"WG", "4"}};
    if (has_define(row, "SMALL")) tiny.insert({{"SMALL", "4"}, {"LARGE_WG", "8"}});
    const DigiTable digis = soup(1200, 90, 30, 30, 13);
    expect_definition(variant, *problem_of(digis, "free", settings_of(4, Duplicates::drop, {1500})), "tiny",
                      tiny);
    const ProblemPtr problem = problem_of(digis, "free", settings_of(8, Duplicates::keep));
    const auto& sizes = problem->shared()->slot_digis();
    const auto over = std::ranges::count_if(sizes, [](std::uint32_t n) { return n > 16; });
    ASSERT_GT(over, 0);
    const ks::Run run = expect_definition(variant, *problem, "tiny", tiny);
    EXPECT_EQ(run.result.facts.at("general_path_modules"), over);
}

TEST_P(ClustersVariant, a_small_budget_is_kept_by_taking_some_events_at_a_time) {
    const DigiTable digis = events_of("phase1", "random", 50, 800, 12);
    const ProblemPtr problem = problem_of(digis, "phase1", settings_of(8, Duplicates::drop));
    const std::uint64_t limit = std::uint64_t{150} << 10;
    const ks::Run run = expect_definition(GetParam(), *problem, "small budget", {}, limit);
    // A map of pixels for each item comes besides: a few on processors, thousands on other devices.
    if (!depends_on(clusters_row(GetParam()).info, "module_pixels")) {
        EXPECT_LE(run.device_bytes_peak, 2 * limit);
    } else if (test_devices()[0]->info().type == "CPU") {
        EXPECT_LE(run.device_bytes_peak, 20 * limit);
    }
    std::uint64_t downloads = 0;
    for (const Timing& row : run.timings)
        if (row.kind == StageKind::download) downloads += row.launches;
    EXPECT_GT(downloads, 1U);
    EXPECT_THROW(run_on(*test_devices()[0], GetParam(), *problem, {}, 1000), Error);
}

INSTANTIATE_TEST_SUITE_P(All, ClustersVariant, ::testing::ValuesIn(clusters_ids()), name_of_variant);

/// The published kernel.
std::string seed() {
    return clusters_ids([](const Variant& variant) { return variant.baseline; }).front();
}

TEST(SeedFindclus, finds_the_same_with_the_first_duplicate_search) {
    const DigiTable digis = soup(4000, 5, 60, 70, 14);
    expect_definition(seed(), *problem_of(digis, "free", settings_of(8, Duplicates::drop)), "pairs",
                      {{"PAIRWISE", "1"}});
}

TEST(SeedFindclus, the_second_phase_s_threads_and_fewer_groups_than_modules_find_the_same) {
    const DigiTable digis = soup(4000, 50, 60, 70, 14);
    const ProblemPtr problem = problem_of(digis, "free", settings_of(8, Duplicates::drop, {700}));
    for (const auto& device : test_devices())
        if (device->info().largest_work_group < 384) GTEST_SKIP() << "groups of 384 are too many there";
    expect_definition(seed(), *problem, "384 threads", {{"WG", "384"}});
    const ks::Run run = expect_definition(seed(), *problem, "3 groups", {{"WG", "384"}, {"GROUPS", "3"}});
    for (const BuildLog& build : run.builds) EXPECT_EQ(build.options.find("GROUPS"), std::string::npos);
}

TEST(SeedFindclus, times_each_stage_of_its_own) {
    const DigiTable digis = soup(500, 5, 60, 70, 14);
    const ks::Run run =
        expect_definition(seed(), *problem_of(digis, "free", settings_of(8, Duplicates::drop, {700})), "");
    for (const char* stage : {"count_digis", "find_duplicates", "sort_columns", "list_neighbours",
                              "propagate", "renumber", "cut_charge"})
        EXPECT_TRUE(std::ranges::any_of(run.timings, [&](const Timing& row) { return row.stage == stage; }))
            << stage;
}

}  // namespace
