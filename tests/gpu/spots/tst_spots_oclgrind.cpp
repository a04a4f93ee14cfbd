// The spot finders under oclgrind, which simulates a device and reports bad accesses and data races between
// work-items: this program calls itself there, once for each variant.

#include <gtest/gtest.h>

#include <cstdlib>

#include "core/run/error.h"
#include "tests/gpu/spots/spots_device.h"
#include "tests/gpu/under_oclgrind.h"

using namespace ks;
using namespace ks::spots;
using namespace ks::tests;

namespace {

class OnOclgrind : public ::testing::TestWithParam<const char*> {};

TEST_P(OnOclgrind, the_kernels_are_clean) {
    expect_clean_under_oclgrind(GetParam());
}

// Not vector.cpu: the simulator lacks the saturating subtraction of vectors that compilers make of it.
INSTANTIATE_TEST_SUITE_P(Variants, OnOclgrind,
                         ::testing::Values("seed.brute", "cooperative", "sliding", "packed", "screened",
                                           "exact.integer", "extended.fused"));

template <class T>
void expect_definition(const char* variant, const Thresholds& thresholds, const std::string& modules) {
    const Scene scene{.frames = 1, .height = 21, .width = 37, .spots = 3, .hot = 1, .hot_value = 250};
    const auto problem = problem_of(stack_of<T>(scene), mask_of(scene), thresholds, modules, 240);
    for (const auto& device : test_devices()) {
        const std::map<std::string, std::string> items =
            std::string(variant) == "sliding"
                ? std::map<std::string, std::string>{{"STRIP", "8"}, {"WG", "32"}}
            : std::string(variant) == "extended.fused"
                ? std::map<std::string, std::string>{{"LANES", "16"}, {"WG", "32"}}
                : std::map<std::string, std::string>{};
        const FoundSignal found = find_on(*device, variant, *problem, 0, items);
        ASSERT_EQ(found.kept.signals.size(), 1u);
        EXPECT_EQ(found.kept.signals[0], expected_signal(*problem, 0)) << variant;
    }
}

TEST(InsideOclgrind, the_variant_finds_the_signal_of_the_definition) {
    const char* variant = std::getenv(under_oclgrind);
    if (variant == nullptr) GTEST_SKIP() << "runs under oclgrind only";
    ASSERT_FALSE(test_devices().empty());
    Thresholds basic{Algorithm::dispersion, 2, 3, 1, 1, 2, 0, 1}, extended = basic;
    extended.algorithm = Algorithm::dispersion_extended;
    const bool extends = std::string(variant) == "extended.fused";
    expect_definition<std::uint16_t>(variant, extends ? extended : basic, "whole");
    expect_definition<std::int32_t>(variant, extends ? extended : basic, "9,11,2,2");
    if (std::string(variant) != "exact.integer")
        expect_definition<float>(variant, extends ? extended : basic, "whole");
}

}  // namespace
