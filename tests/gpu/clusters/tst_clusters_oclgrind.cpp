// The clusters' kernels under oclgrind, which simulates a device and reports bad accesses and data races
// between work-items: this program calls itself there, once for each variant.

#include <gtest/gtest.h>

#include <cstdlib>
#include <string>

#include "tests/gpu/clusters/clusters_device.h"
#include "tests/gpu/under_oclgrind.h"

using namespace ks;
using namespace ks::tests;

namespace {

class ClustersOnOclgrind : public ::testing::TestWithParam<const char*> {};

TEST_P(ClustersOnOclgrind, the_kernels_are_clean) {
    expect_clean_under_oclgrind(GetParam());
}

INSTANTIATE_TEST_SUITE_P(Variants, ClustersOnOclgrind, ::testing::ValuesIn(clusters_ids()), name_of_variant);

std::vector<Digi> some_digis() {
    std::vector<Digi> digis;
    for (std::uint32_t i = 0, random = 1; i < 150; ++i, random = random * 1103515245U + 12345U)
        digis.push_back({i % 4 == 0 ? 9999U : i % 5, static_cast<int>(random >> 20 & 7),
                         static_cast<int>(random >> 26 & 7), 100 + i % 7, i / 75});
    return digis;
}

TEST(InsideOclgrind, the_table_that_the_device_makes_is_that_of_the_host) {
    const char* variant = std::getenv(under_oclgrind);
    if (variant == nullptr || variant != std::string("unionfind.global"))
        GTEST_SKIP() << "runs under oclgrind only, and once: all variants share it";
    std::vector<Digi> digis = some_digis();
    for (const bool wide : {false, true}) {
        for (std::size_t i = 0; i < digis.size(); ++i)
            digis[i].adc = wide ? 0xffffffffU - digis[i].adc : static_cast<std::uint32_t>(i % 3);
        const auto problem = problem_of(table_of(digis, true), "phase1");
        for (const bool divides : {false, true}) {
            const ks::Run run = run_as(*test_devices()[0],
                                       {.packed = true,
                                        .table_on_device = true,
                                        .divides = divides,
                                        .overlaps = true,
                                        .max_rows = 80},
                                       *problem, gpu::clusters::make_general, variant, {},
                                       {{"ATOMIC_READS", "1"}, {"WG", "16"}});
            const clusters::ClusterTable table = clusters::table_of(*problem, run.result.at("label").values);
            EXPECT_TRUE(run.result.at("cluster_x").values == table.x);
            EXPECT_TRUE(run.result.at("cluster_charge").values == table.charge);
            EXPECT_TRUE(run.result.at("module_clusters").values == table.slot_clusters);
        }
    }
}

TEST(InsideOclgrind, the_variant_makes_the_labels_of_the_definition) {
    const char* variant = std::getenv(under_oclgrind);
    if (variant == nullptr) GTEST_SKIP() << "runs under oclgrind only";
    ASSERT_FALSE(test_devices().empty());
    const std::vector<Digi> digis = some_digis();
    const Variant row = clusters_row(variant).info;
    Defines defines;
    for (const auto& [name, value] :
         {std::pair{"ATOMIC_READS", "1"}, {"WG", "16"}, {"LIMIT", "16"}, {"SMALL", "4"}, {"LARGE_WG", "8"}})
        if (has_define(row, name)) defines[name] = value;
    for (const bool drop : {false, true}) {
        ClusterSettings settings;
        settings.duplicates = drop ? Duplicates::drop : Duplicates::keep;
        settings.charge_cuts.assign(1856, drop ? 150 : 300);
        settings.record = 1;
        expect_definition(variant, *problem_of(table_of(digis, true), "phase1", settings),
                          drop ? "dropped" : "kept", defines);
    }
}

}  // namespace
