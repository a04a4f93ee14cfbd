#include <gtest/gtest.h>

#include "core/clusters/problem.h"
#include "core/clusters/synthetic/generator.h"
#include "tests/gpu/sharing/shared_results.h"

namespace ks::tests {
namespace {

/// As dense as by default, in a quarter of the modules.
std::shared_ptr<const clusters::ClusterProblem> events(std::int64_t count) {
    return std::dynamic_pointer_cast<const clusters::ClusterProblem>(
        made("clusters", {{"events", ParameterValue{count}},
                          {"modules", ParameterValue{std::int64_t{464}}},
                          {"digis", ParameterValue{std::int64_t{10750}}}}));
}

std::shared_ptr<const clusters::ClusterProblem> with_settings(const clusters::ClusterProblem& problem,
                                                              const clusters::ClusterSettings& settings) {
    return std::make_shared<clusters::ClusterProblem>(problem.shared(), settings);
}

}  // namespace

TEST(SharedClusters, events_are_the_same_bytes) {
    EXPECT_GT(expect_shared("clusters", "7 events", events(7)), 5U);
}

TEST(SharedClusters, fewer_events_than_devices) {
    expect_shared("clusters", "2 events", events(2));
    expect_shared("clusters", "1 event", events(1));
}

TEST(SharedClusters, dropped_copies_cuts_and_a_module_that_is_recorded) {
    const auto whole = events(5);
    clusters::ClusterSettings settings = whole->settings();
    settings.connectivity = 4;
    settings.duplicates = clusters::Duplicates::drop;
    if (!settings.charge_cuts.empty()) settings.charge_cuts.assign(settings.charge_cuts.size(), 4000);
    // A module with digis in the last event but one.
    const auto& digis = whole->shared()->slot_digis();
    const auto& block = whole->shared()->blocks()[3];
    std::size_t slot = block.first_slot;
    while (digis[slot] == 0) ++slot;
    settings.record = static_cast<std::int64_t>(slot);
    expect_shared("clusters", "recorded", with_settings(*whole, settings));
}

TEST(SharedClusters, digis_without_events_go_to_one_device) {
    DigiTable table;
    for (std::uint16_t i = 0; i < 3000; ++i) {
        table.module.push_back(i % 3);
        table.x.push_back(static_cast<std::uint16_t>(i * 7 % 90));
        table.y.push_back(static_cast<std::uint16_t>(i * 11 % 70));
        table.adc.push_back(i % 50);
    }
    auto all = std::make_shared<const clusters::ModuleDigis>(std::move(table), clusters::layout_named("free"),
                                                             "test");
    expect_shared("clusters", "no events",
                  std::make_shared<clusters::ClusterProblem>(all, clusters::ClusterSettings{}));
}

}  // namespace ks::tests
