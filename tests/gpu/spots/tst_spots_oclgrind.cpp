// The spot finders under oclgrind, which simulates a device and reports bad accesses and data races between
// work-items: this program calls itself there, once for each variant.

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>

#include "core/base/error.h"
#include "core/base/threads.h"
#include "core/spots/analysis.h"
#include "tests/gpu/spots/spots_device.h"
#include "tests/gpu/under_oclgrind.h"

using namespace ks;
using namespace ks::spots;
using namespace ks::tests;

namespace {

class VariantsOnOclgrind : public ::testing::TestWithParam<const char*> {};

TEST_P(VariantsOnOclgrind, the_kernels_are_clean) {
    expect_clean_under_oclgrind(GetParam());
}

// Not those of explicit vectors: the simulator lacks the saturating subtraction that compilers make of them.
// They are those that are ranked apart for processors.
INSTANTIATE_TEST_SUITE_P(Variants, VariantsOnOclgrind,
                         ::testing::ValuesIn(spots_ids([](const Variant& variant) {
                             return !variant.cpu_rank;
                         })),
                         name_of_variant);

constexpr const char* grouping = "grouping";  // in place of a variant

/// Runs read ahead on other threads, into memory of the device's driver. The simulator's tables of its memory
/// are not made for calls from two threads: it takes what one of them makes for what another one has.
void call_from_one_thread() {
    limit_threads(1);  // the program ends with the test
}

TEST(OnOclgrind, grouping_is_clean) {
    expect_clean_under_oclgrind(grouping);
}

/// @return whether the variant takes such a problem
template <class T>
bool expect_definition(const char* variant, const Thresholds& thresholds, const std::string& modules) {
    const RandomScene scene{.frames = 1, .height = 21, .width = 37, .spots = 3, .hot = 1, .hot_value = 250};
    const auto problem = problem_of(stack_of<T>(scene), mask_of(scene), thresholds, modules, 240);
    const Variant row = spots_row(variant).info;
    if (!why_not(row, traits_of(*problem), true).empty()) return false;
    // groups that the simulator ends in time with
    std::map<std::string, std::string> small;
    for (const auto& [name, value] : {std::pair{"STRIP", "8"}, {"WG", "32"}, {"LANES", "16"}})
        for (const DefineSpec& define : row.defines)
            if (define.name == name && std::ranges::count(define.allowed, value) > 0) small[name] = value;
    for (const auto& device : test_devices()) {
        const FoundSignal found = find_on(*device, variant, *problem, {}, small);
        EXPECT_EQ(found.kept.signals.size(), 1u);
        if (found.kept.signals.size() == 1) {
            EXPECT_EQ(found.kept.signals[0], expected_signal(*problem, 0)) << variant;
        }
    }
    return true;
}

TEST(InsideOclgrind, the_variant_finds_the_signal_of_the_definition) {
    const char* variant = std::getenv(under_oclgrind);
    if (variant == nullptr || variant == std::string(grouping)) GTEST_SKIP() << "runs under oclgrind only";
    call_from_one_thread();
    ASSERT_FALSE(test_devices().empty());
    int taken = 0;
    for (const Algorithm algorithm : {Algorithm::dispersion, Algorithm::dispersion_extended}) {
        const Thresholds thresholds{algorithm, 2, 3, 1, 1, 2, 0, 1};
        taken += expect_definition<std::uint16_t>(variant, thresholds, "whole") ? 1 : 0;
        taken += expect_definition<std::int32_t>(variant, thresholds, "9,11,2,2") ? 1 : 0;
        taken += expect_definition<float>(variant, thresholds, "whole") ? 1 : 0;
    }
    EXPECT_GE(taken, 2) << variant;
}

TEST(InsideOclgrind, the_device_groups_as_the_host_does) {
    const char* what = std::getenv(under_oclgrind);
    if (what == nullptr || what != std::string(grouping)) GTEST_SKIP() << "runs under oclgrind only";
    call_from_one_thread();
    ASSERT_FALSE(test_devices().empty());
    const RandomScene scene{.frames = 2, .height = 41, .width = 44, .background = 1, .spots = 4, .hot = 1};
    for (const char* modules : {"whole", "19,20,2,3"}) {
        const auto problem = problem_of(stack_of<std::uint16_t>(scene), mask_of(scene), {}, modules);
        const gpu::spots::SpotVariant row = spots_row(takers(*problem).front());
        for (const auto& device : test_devices()) {
            const auto result = [&](gpu::spots::GroupsOn where) {
                ks::Run run;
                run.variant = row.info;
                run.device = device->info();
                Progress progress;
                gpu::LaunchContext context(*device, run, progress, row.tuning);
                return gpu::spots::launch_spots(*problem, context, row.make, where);
            };
            const Result by_device = result(gpu::spots::GroupsOn::device),
                         by_host = result(gpu::spots::GroupsOn::host);
            EXPECT_NE(by_device.facts["kernels"].get<std::string>().find("sum_background"),
                      std::string::npos);
            EXPECT_GT(by_host.at("n_signal").values.size(), 0u);
            for (std::size_t i = 0; i < by_host.datasets.size(); ++i)
                EXPECT_TRUE(std::ranges::equal(by_device.datasets[i].values.bytes(),
                                               by_host.datasets[i].values.bytes()))
                    << by_host.datasets[i].name;
        }
    }
}

}  // namespace
