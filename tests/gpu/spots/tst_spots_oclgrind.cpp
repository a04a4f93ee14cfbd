// The spot finders under oclgrind, which simulates a device and reports bad accesses and data races between
// work-items: this program calls itself there, once for each variant.

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

#include <unistd.h>

#include "core/run/error.h"
#include "tests/gpu/spots/spots_device.h"

using namespace ks;
using namespace ks::spots;
using namespace ks::tests;

namespace {

constexpr const char* inside = "KS_UNDER_OCLGRIND";

/// Runs the test below for one variant there; what oclgrind logs.
std::string simulated_log(const std::string& variant) {
    const std::filesystem::path folder = std::filesystem::temp_directory_path() /
                                         ("spots_oclgrind_" + variant + "_" + std::to_string(getpid()));
    std::filesystem::create_directory(folder);
    const std::string program = std::filesystem::read_symlink("/proc/self/exe").string();
    const std::string command = std::string(inside) + "=" + variant + " KERNELSCOPE_CACHE='" +
                                (folder / "cache").string() + "' oclgrind --log '" +
                                (folder / "log").string() + "' --data-races '" + program +
                                "' --gtest_filter=InsideOclgrind.* > /dev/null 2>&1";
    const int status = std::system(command.c_str());
    EXPECT_EQ(status, 0) << command;
    std::stringstream text;
    text << std::ifstream(folder / "log").rdbuf();
    std::filesystem::remove_all(folder);
    return text.str();
}

class OnOclgrind : public ::testing::TestWithParam<const char*> {};

TEST_P(OnOclgrind, the_kernels_are_clean) {
    if (std::getenv(inside) != nullptr) GTEST_SKIP() << "is there already";
    if (std::system("command -v oclgrind > /dev/null") != 0) GTEST_SKIP() << "oclgrind is not installed";
    EXPECT_EQ(simulated_log(GetParam()), "");
}

// Not vector.cpu: the simulator lacks the saturating subtraction of vectors that compilers make of it.
INSTANTIATE_TEST_SUITE_P(Variants, OnOclgrind,
                         ::testing::Values("seed.brute", "cooperative", "sliding", "packed", "exact.integer",
                                           "extended.fused"));

template <class T>
void expect_definition(const char* variant, const Thresholds& thresholds, const std::string& modules) {
    const Scene scene{.frames = 1, .height = 21, .width = 37, .spots = 3, .hot = 1, .hot_value = 250};
    const auto problem = problem_of(stack_of<T>(scene), mask_of(scene), thresholds, modules, 240);
    for (const auto& device : spots_devices()) {
        const std::map<std::string, std::string> items =
            std::string(variant) == "sliding"
                ? std::map<std::string, std::string>{{"STRIP", "8"}, {"WG", "32"}}
                : std::map<std::string, std::string>{};
        const FoundSignal found = find_on(*device, variant, *problem, 0, items);
        ASSERT_EQ(found.kept.signals.size(), 1u);
        EXPECT_EQ(found.kept.signals[0], expected_signal(*problem, 0)) << variant;
    }
}

TEST(InsideOclgrind, the_variant_finds_the_signal_of_the_definition) {
    const char* variant = std::getenv(inside);
    if (variant == nullptr) GTEST_SKIP() << "runs under oclgrind only";
    ASSERT_FALSE(spots_devices().empty());
    Thresholds basic{Algorithm::dispersion, 2, 3, 1, 1, 2, 0, 1}, extended = basic;
    extended.algorithm = Algorithm::dispersion_extended;
    const bool extends = std::string(variant) == "extended.fused";
    expect_definition<std::uint16_t>(variant, extends ? extended : basic, "whole");
    expect_definition<std::int32_t>(variant, extends ? extended : basic, "9,11,2,2");
    if (std::string(variant) != "exact.integer")
        expect_definition<float>(variant, extends ? extended : basic, "whole");
}

}  // namespace
