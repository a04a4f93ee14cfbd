// Pixels that hold the highest value of their type, which detectors write where there is no count.

#include <gtest/gtest.h>

#include <limits>
#include <string>

#include "core/spots/collector.h"
#include "tests/core/spots/collector_fixture.h"

using namespace ks;
using namespace ks::tests;

namespace {

constexpr std::size_t height = 6, width = 70;

/// Two frames of ones.
template <class T>
Collected two_frames(const std::vector<std::size_t>& first, const std::vector<std::size_t>& second) {
    std::vector<T> values(2 * height * width, 1);
    for (const std::size_t pixel : first) values[pixel] = std::numeric_limits<T>::max();
    for (const std::size_t pixel : second) values[height * width + pixel] = std::numeric_limits<T>::max();
    Collected made{Array::of<T>({2, height, width}, values)};
    made.signals = {{}, {}};
    return made;
}

std::vector<std::string> warnings(const Collected& given) {
    const spots::SpotProblem problem = given.problem();
    spots::SpotCollector collector(problem, 2);
    collector.add_all(given.found());
    return collector.result().warnings;
}

/// The only warning.
std::string warning(const Collected& given) {
    const auto all = warnings(given);
    EXPECT_EQ(all.size(), 1u);
    return all.empty() ? std::string() : all.front();
}

bool holds(const std::string& text, const std::string& part) {
    return text.find(part) != std::string::npos;
}

TEST(SpotsMarked, pixels_of_the_first_frame_that_nothing_leaves_out_are_counted) {
    const std::string text = warning(two_frames<std::uint16_t>({0, 64, 419}, {}));
    EXPECT_TRUE(holds(text, "3 pixels of frame 0 have a count of 65535, the highest value of u16")) << text;
    EXPECT_TRUE(holds(warning(two_frames<std::uint8_t>({5}, {})), "1 pixel of frame 0 has a count of 255,"));
    EXPECT_TRUE(holds(warning(two_frames<std::uint32_t>({5}, {})), "4294967295"));
    EXPECT_TRUE(warnings(two_frames<std::uint16_t>({}, {})).empty());
    EXPECT_TRUE(warnings(two_frames<std::int32_t>({5}, {})).empty());
}

TEST(SpotsMarked, signal_of_any_frame_tells_of_them_too) {
    Collected given = two_frames<std::uint16_t>({}, {70, 71, 200});
    given.signals = {{3}, {69, 70, 71}};
    EXPECT_TRUE(holds(warning(given), "2 signal pixels have a count of 65535")) << warning(given);
}

TEST(SpotsMarked, what_a_mask_or_the_saturation_leaves_out_is_not_warned_of) {
    Collected given = two_frames<std::uint16_t>({64, 400}, {});
    given.ignore.assign(height * width, 0);
    given.ignore[64] = 1;
    EXPECT_TRUE(holds(warning(given), "1 pixel of frame 0"));
    given.ignore[400] = 1;
    EXPECT_TRUE(warnings(given).empty());
    given = two_frames<std::uint16_t>({64, 400}, {});
    given.limit = 65535;
    EXPECT_TRUE(warnings(given).empty());
    given.limit = 65536;
    EXPECT_TRUE(holds(warning(given), "2 pixels of frame 0"));
}

TEST(SpotsMarked, pixels_between_modules_do_not_count_and_a_missing_frame_is_not_the_first) {
    Collected given = two_frames<std::uint16_t>({0}, {33, 39});
    given.modules = "6,30,0,10";
    given.missing = {0};
    EXPECT_TRUE(holds(warning(given), "missing")) << "neither pixel is in a module";
    given = two_frames<std::uint16_t>({0}, {33, 41});
    given.missing = {0};
    const auto all = warnings(given);
    ASSERT_EQ(all.size(), 2u);
    EXPECT_TRUE(holds(all[1], "2 pixels of frame 1")) << all[1];
}

}  // namespace
