// Saturated pixels beside spots, and pixels that are signal in all frames: what the result says of them.

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "core/spots/analysis.h"
#include "tests/core/spots/collector_fixture.h"
#include "tests/core/spots/host_run.h"

namespace ks::tests {
namespace {

using namespace spots;

/// Two spots in frame 0 and one in frame 1, which are signal where they are drawn; `at`: what else there is.
template <class T>
Collected with_saturated(const std::vector<std::size_t>& at, T value) {
    const Collected small = drawn({{"........", ".55.....", ".5......", "........", "........", "......66"},
                                   {"........", ".55.....", "........", "........", "........", "........"}});
    std::vector<T> values;
    for (const std::uint16_t count : small.stack.as<std::uint16_t>()) values.push_back(static_cast<T>(count));
    for (const std::size_t place : at) values[place] = value;
    Collected scene{Array::of<T>(small.stack.shape(), values), small.signals};
    scene.limit = 1000;
    return scene;
}

template <class T>
void expect_counted(T value) {
    // Beside the first spot in frame 0 and in frame 1, and far from all.
    const Collected scene = with_saturated<T>({2 * 8 + 2, 48 + 2 * 8 + 1, 48 + 5 * 8 + 7}, value);
    const Result result = scene.result();
    const std::vector<Spot> found = spots_of(result);
    ASSERT_EQ(found.size(), 2u);
    EXPECT_EQ(found[0].saturated, 2u);
    EXPECT_EQ(found[1].saturated, 0u);
    EXPECT_EQ(found[0].background, 0);
    EXPECT_EQ(result.facts.at("spots_with_saturated"), 1);
}

TEST(SaturatedPixels, beside_a_spot_are_counted_in_its_row) {
    expect_counted<std::uint16_t>(1000);
    expect_counted<std::int32_t>(2147483647);
    expect_counted<float>(1e6f);
}

TEST(SaturatedPixels, are_none_without_a_saturation_and_where_values_are_no_counts) {
    Collected open = with_saturated<std::uint16_t>({2 * 8 + 2}, 1000);
    open.limit = std::numeric_limits<double>::infinity();
    EXPECT_EQ(open.spots()[0].saturated, 0u);
    EXPECT_EQ(with_saturated<std::int32_t>({2 * 8 + 2}, -1).spots()[0].saturated, 0u);
    EXPECT_EQ(with_saturated<float>({2 * 8 + 2}, std::numeric_limits<float>::infinity()).spots()[0].saturated,
              0u);
    Collected masked = with_saturated<std::uint16_t>({2 * 8 + 2}, 1000);
    masked.ignore.assign(48, 0);
    masked.ignore[2 * 8 + 2] = 1;
    EXPECT_EQ(masked.spots()[0].saturated, 0u);
}

Run run_of(Collected scene) {
    Run run;
    run.result = scene.result();
    return run;
}

TEST(HotPixels, that_are_signal_in_all_frames_are_named) {
    const std::vector<std::string> with{"......", ".5....", "....7."}, without{"......", ".5....", "......"};
    const std::string said = summary_of(run_of(drawn({with, without, with, with, with})));
    EXPECT_NE(said.find("1 pixel is signal in all 5 frames (x 1, y 1): it is probably hot"),
              std::string::npos)
        << said;
    Collected missing = drawn({with, with, without, with, with, with});
    missing.signals[2].clear();
    missing.missing = {2};
    const std::string both = summary_of(run_of(missing));
    EXPECT_NE(both.find("2 pixels are signal in all 5 frames (x 1, y 1; x 4, y 2)"), std::string::npos)
        << both;
    EXPECT_EQ(summary_of(run_of(drawn({with, with, with, with}))).find("hot"), std::string::npos);
    EXPECT_EQ(summary_of(run_of(drawn({with, with, {"...", "...", "..."}, with, with, with}))).find("hot"),
              std::string::npos);
}

}  // namespace
}  // namespace ks::tests
