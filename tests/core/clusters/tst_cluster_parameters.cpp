// Layouts, charge cuts and the other parameters mean what they say.

#include <gtest/gtest.h>

#include "core/clusters/parameters.h"
#include "tests/core/clusters/cluster_fixture.h"
#include "tests/core/io/io_fixture.h"

using namespace ks;
using namespace ks::tests;
using clusters::charge_cuts_from;
using clusters::layout_named;

namespace {

TEST(ClusterLayouts, layers_cover_the_modules_without_gaps) {
    for (const auto& layout : clusters::layouts()) {
        std::uint32_t next = 0;
        for (const auto& layer : layout.layers) {
            EXPECT_EQ(layer.first, next) << layout.id << ' ' << layer.name;
            EXPECT_GT(layer.modules, 0U);
            next += layer.modules;
        }
        if (!layout.layers.empty()) {
            EXPECT_EQ(next, layout.modules) << layout.id;
        }
        if (layout.roc_x != 0) {
            EXPECT_EQ(layout.extent_x % layout.roc_x, 0U) << layout.id;
        }
    }
    EXPECT_EQ(layout_named("phase1").layers.size(), 10U);
    EXPECT_EQ(layout_named("phase2").layers.size(), 28U);
    EXPECT_EQ(layout_named("phase1").layer_of(95), 0U);
    EXPECT_EQ(layout_named("phase1").layer_of(96), 1U);
    EXPECT_EQ(layout_named("phase1").layer_of(1855), 9U);
    EXPECT_TRUE(contains(input_error([] { layout_named("phase3"); }),
                         {"phase3", "free", "timepix", "phase1", "phase2"}));
}

TEST(ClusterParameters, charge_cuts_of_a_layout_and_of_numbers) {
    const auto& phase1 = layout_named("phase1");
    EXPECT_TRUE(charge_cuts_from("off", phase1).empty());
    for (const char* text : {"layout", "phase1", "2000,4000"}) {
        const auto cuts = charge_cuts_from(text, phase1);
        ASSERT_EQ(cuts.size(), 1856U);
        EXPECT_EQ(cuts[0], 2000U);
        EXPECT_EQ(cuts[95], 2000U);
        EXPECT_EQ(cuts[96], 4000U);
        EXPECT_EQ(cuts[1855], 4000U);
    }
    const auto each = charge_cuts_from("1,2,3,4,5,6,7,8,9,10", phase1);
    EXPECT_EQ(each[95], 1U);
    EXPECT_EQ(each[320], 3U);
    EXPECT_EQ(each[1855], 10U);
    EXPECT_EQ(charge_cuts_from("7", layout_named("free")), std::vector<std::uint32_t>{7});
}

TEST(ClusterParameters, charge_cuts_are_written_as_other_whole_numbers) {
    const auto &phase1 = layout_named("phase1"), &free = layout_named("free");
    EXPECT_EQ(charge_cuts_from("1e3", free), std::vector<std::uint32_t>{1000});
    EXPECT_EQ(charge_cuts_from(" +2.5e3 ", free), std::vector<std::uint32_t>{2500});
    EXPECT_EQ(charge_cuts_from("1e3,2e3", phase1), charge_cuts_from("1000,2000", phase1));
    EXPECT_EQ(charge_cuts_from("351, 20", phase1), charge_cuts_from("351,20", phase1));
    EXPECT_EQ(charge_cuts_from("351, 20", phase1).back(), 20U);
    for (const char* text : {"1.5e0", "1e10", "1 000", "1, ", "1e", "2e3;4e3"})
        EXPECT_TRUE(contains(input_error([&] { charge_cuts_from(text, phase1); }),
                             {"charge_cut", "\"" + std::string(text) + "\""}))
            << text;
}

TEST(ClusterParameters, the_largest_charge_cut_is_named) {
    EXPECT_EQ(charge_cuts_from("4294967295", layout_named("free")), std::vector<std::uint32_t>{4294967295});
    EXPECT_TRUE(contains(input_error([&] { charge_cuts_from("8589934592", layout_named("free")); }),
                         {"charges from 0 to 4294967295", "8589934592"}));
}

TEST(ClusterParameters, charge_cuts_that_make_no_sense_are_refused) {
    const auto& phase1 = layout_named("phase1");
    for (const char* text : {"", "on", "1,", "1,x", "-5", "1,2,3", "4294967296", "1.5"})
        EXPECT_TRUE(contains(input_error([&] { charge_cuts_from(text, phase1); }), {"charge_cut", text}));
    for (const char* text : {"layout", "phase1", "1,2"})
        EXPECT_TRUE(contains(input_error([&] { charge_cuts_from(text, layout_named("free")); }),
                             {"charge_cut", "free"}));
}

TEST(ClusterParameters, duplicates_follow_the_layout_unless_told) {
    const auto info = clusters::analysis_info();
    ParameterSet set = defaults(info.parameters);
    EXPECT_EQ(clusters::settings_from(set, layout_named("phase1")).duplicates, Duplicates::drop);
    EXPECT_EQ(clusters::settings_from(set, layout_named("timepix")).duplicates, Duplicates::keep);
    set["duplicates"] = std::string("keep");
    set["connectivity"] = std::string("4");
    EXPECT_EQ(clusters::settings_from(set, layout_named("phase1")).duplicates, Duplicates::keep);
    EXPECT_EQ(clusters::settings_from(set, layout_named("phase1")).connectivity, 4);
}

TEST(ClusterDigis, slots_of_a_fixed_layout_are_events_times_modules) {
    const auto problem =
        problem_of(table_of({{5, 0, 0, 1, 30}, {9999, 0, 0, 1, 10}, {7, 0, 0, 1, 10}}, true), "phase1");
    EXPECT_EQ(problem->slots(), 2U * 1856);
    EXPECT_EQ(problem->slot()[0], 1856U + 5);  // event 30 is the second one
    EXPECT_EQ(problem->slot()[1], clusters::ModuleDigis::no_slot);
    EXPECT_EQ(problem->slot()[2], 7U);
    EXPECT_EQ(problem->shared()->blocks().size(), 1U) << "events do not ascend";
}

TEST(ClusterDigis, what_is_outside_of_the_layout_is_named) {
    const auto refused = [](Digi digi, std::vector<std::string> words) {
        EXPECT_TRUE(contains(input_error([&] { problem_of(table_of({{0, 0, 0}, digi}), "phase1"); }), words));
    };
    refused({1856, 0, 0}, {"test, digi 1", "module", "1855", "1856"});
    refused({0, 160, 0}, {"test, digi 1", "x", "159", "160"});
    refused({0, 0, 416}, {"test, digi 1", "y", "415", "416"});
    EXPECT_TRUE(contains(input_error([&] {
                             problem_of(table_of({{0, 256, 0}}), "timepix");
                         }),
                         {"255", "256"}));
    EXPECT_NO_THROW(problem_of(table_of({{9999, 60000, 60000}}), "phase1"));
}

}  // namespace
