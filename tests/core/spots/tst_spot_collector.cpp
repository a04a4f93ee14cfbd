#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "tests/core/spots/collector_fixture.h"

using namespace ks;
using namespace ks::spots;
using namespace ks::tests;

namespace {

/// A row of spots of one pixel each, every fourth column.
Collected row_of_spots(std::size_t n) {
    std::vector<std::uint16_t> values(3 * 4 * n, 1);
    std::vector<std::uint32_t> signal;
    for (std::size_t i = 0; i < n; ++i) {
        signal.push_back(static_cast<std::uint32_t>(4 * n + 4 * i));
        values[signal.back()] = 50;
    }
    return {Array::of<std::uint16_t>({1, 3, 4 * n}, values), {signal}};
}

Dropped only(const Collected& scene) {
    const auto spots = scene.spots();
    EXPECT_EQ(spots.size(), 1u);
    return spots[0].dropped;
}

}  // namespace

TEST(SpotCollector, size_limits_are_inclusive) {
    Collected scene = drawn({{"111"}});
    scene.grouping.min_size = scene.grouping.max_size = 3;
    EXPECT_EQ(only(scene), Dropped::kept);
    scene.grouping.min_size = 4;
    EXPECT_EQ(only(scene), Dropped::too_small);
    scene.grouping.min_size = scene.grouping.max_size = 2;
    EXPECT_EQ(only(scene), Dropped::too_large);
}

TEST(SpotCollector, a_peak_far_from_the_centroid_goes_and_frames_count_as_pixels) {
    Collected row = drawn({{"4111112"}});  // centroid (4 * 0 + 15 + 2 * 6) / 11 px right of the peak
    row.grouping.max_separation = 27.0 / 11 + 1e-9;
    EXPECT_EQ(only(row), Dropped::kept);
    row.grouping.max_separation = 27.0 / 11 - 1e-9;
    EXPECT_EQ(only(row), Dropped::far_peak);
    Collected frames = drawn({{"2."}, {"1."}, {"1."}});
    frames.grouping.max_separation = 0.75;
    EXPECT_EQ(only(frames), Dropped::kept);
    frames.grouping.max_separation = 0.7;
    EXPECT_EQ(only(frames), Dropped::far_peak);
}

TEST(SpotCollector, d_and_q_follow_braggs_law_and_limits_in_d_drop) {
    Collected scene = drawn({{"...", ".9.", "..."}});
    scene.geometry = {1.0, 100, -998.5, 1.5, 100, 100};  // 1000 px of 100 um: 2 theta = 45 degrees
    const Spot spot = scene.spots()[0];
    const double d = 1.0 / (2 * std::sin(std::atan(1.0) / 2));
    EXPECT_NEAR(spot.d, d, 1e-12);
    EXPECT_NEAR(spot.q, 2 * std::acos(-1.0) / d, 1e-12);
    scene.grouping.d_min = d + 0.01;
    EXPECT_EQ(only(scene), Dropped::resolution);
    scene.grouping.d_min = d - 0.01;
    EXPECT_EQ(only(scene), Dropped::kept);
    scene.grouping.d_max = d - 0.005;
    EXPECT_EQ(only(scene), Dropped::resolution);
    scene.grouping.min_size = 2;  // the first reason that applies
    EXPECT_EQ(only(scene), Dropped::too_small);
}

TEST(SpotCollector, without_a_geometry_there_is_no_d_and_nothing_is_dropped_for_it) {
    Collected scene = drawn({{"9"}, {"9"}});
    scene.grouping.d_min = 1;
    scene.grouping.ice_width = 1;
    const Spot spot = scene.spots()[0];
    EXPECT_TRUE(std::isnan(spot.q));
    EXPECT_TRUE(std::isnan(spot.d));
    EXPECT_EQ(spot.dropped, Dropped::kept);
}

TEST(SpotCollector, spots_on_ice_rings_go) {
    Collected scene = drawn({{"...", ".9.", "..."}});
    // The strongest ring of ice, 3.895 angstrom for a wavelength of 1: sin(theta) = 1 / 7.79.
    const double radius = 1000 * std::tan(2 * std::asin(1 / (2 * 3.895)));
    scene.geometry = {1.0, 100, 1.5 - radius, 1.5, 100, 100};
    EXPECT_EQ(only(scene), Dropped::kept);
    scene.grouping.ice_width = 0.002;
    EXPECT_EQ(only(scene), Dropped::ice);
    scene.geometry.beam_x = 1.5 - 1000 * std::tan(2 * std::asin(1 / (2 * 3.2)));
    EXPECT_EQ(only(scene), Dropped::kept);
}

TEST(SpotCollector, frames_count_their_signal_and_the_kept_spots_that_peak_there) {
    Collected scene = drawn({{"12.4"}, {".3.."}, {"...."}, {"...5"}});
    scene.grouping.min_size = 2;
    const Result result = scene.result();
    const auto u32 = [&](const char* name) {
        const auto values = result.at(name).values.as<std::uint32_t>();
        return std::vector<std::uint32_t>(values.begin(), values.end());
    };
    EXPECT_EQ(u32("frame"), (std::vector<std::uint32_t>{0, 1, 2, 3}));
    EXPECT_EQ(u32("frame_signal"), (std::vector<std::uint32_t>{3, 1, 0, 1}));
    EXPECT_EQ(u32("frame_spots"), (std::vector<std::uint32_t>{0, 1, 0, 0}));
    EXPECT_EQ(result.at("frame_sum").values.to_doubles(), (std::vector<double>{0, 6, 0, 0}));
    EXPECT_EQ(result.at("frame_signal").axes, std::vector<std::string>{"frame"});
    EXPECT_EQ(u32("signal_pixel"), (std::vector<std::uint32_t>{0, 1, 3, 1, 3}));
    EXPECT_EQ(signal_of(result, 1).size(), 1u);
    EXPECT_EQ(result.facts["spots"], 3);
    EXPECT_EQ(result.facts["kept"], 1);
    EXPECT_EQ(result.facts["dropped_too_small"], 2);
    EXPECT_EQ(result.facts["dropped_ice"], 0);
    EXPECT_EQ(result.facts["signal_pixels"], 5);
    EXPECT_EQ(result.facts["frames"], 4);
}

TEST(SpotCollector, the_table_comes_back_as_it_went) {
    Collected scene = drawn({{"12.4", "...."}, {"13..", "..7."}});
    scene.geometry = {1.0, 100, 20, 3, 100, 100};
    scene.grouping.min_size = 2;
    const auto spots = scene.spots();
    ASSERT_EQ(spots.size(), 3u);
    Result again;
    again.datasets = table_datasets(spots);
    const auto back = spots_of(again);
    ASSERT_EQ(back.size(), spots.size());
    for (std::size_t i = 0; i < back.size(); ++i) {
        const Spot &a = back[i], &b = spots[i];
        EXPECT_EQ(a.n_signal, b.n_signal);
        EXPECT_EQ(a.dropped, b.dropped);
        EXPECT_EQ(a.peak_x, b.peak_x);
        EXPECT_EQ(a.x1, b.x1);
        EXPECT_EQ(a.var_y, b.var_y);
        EXPECT_EQ(a.q, b.q);
        EXPECT_EQ(a.background, b.background);
    }
    EXPECT_EQ(back[0].n_signal, 4u);
    EXPECT_EQ(back[1].dropped, Dropped::too_small);
}

TEST(SpotCollector, missing_frames_are_counted_and_named) {
    Collected scene = drawn({{"111"}, {"111"}, {"111"}, {"111"}});
    scene.missing = {1, 3};
    const Result result = scene.result();
    ASSERT_EQ(result.warnings.size(), 1u);
    EXPECT_EQ(result.warnings[0], "2 of 4 frames are missing in holes.h5 and were skipped: 1, 3");
    EXPECT_EQ(result.facts["missing_frames"], 2);
    EXPECT_EQ(result.at("frame_missing").values.as<std::uint8_t>()[3], 1);
    EXPECT_EQ(result.at("frame_missing").values.as<std::uint8_t>()[2], 0);
    EXPECT_TRUE(signal_of(result, 1).empty());
    EXPECT_TRUE(drawn({{"111"}}).result().warnings.empty());
}

TEST(SpotCollector, frames_that_are_left_out_are_told_from_missing_ones_and_join_no_spots) {
    const std::vector<std::vector<std::string>> same(5, {"111", "111"});
    Collected scene = drawn(same);
    ASSERT_EQ(spots_of(scene.result()).size(), 1u);
    scene.left_out = {2};
    scene.missing = {4};
    const Result result = scene.result();
    const auto spots = spots_of(result);
    ASSERT_EQ(spots.size(), 2u);
    EXPECT_EQ(spots[0].z1, 2u);
    EXPECT_EQ(spots[1].z0, 3u);
    EXPECT_EQ(result.facts["missing_frames"], 1);
    EXPECT_EQ(result.facts["left_out_frames"], 1);
    const auto state = result.at("frame_missing").values.as<std::uint8_t>();
    EXPECT_EQ(std::vector<int>(state.begin(), state.end()), (std::vector<int>{0, 0, 3, 0, 1}));
    ASSERT_EQ(result.warnings.size(), 1u) << "only the missing one: the other was asked for";
    EXPECT_EQ(result.warnings[0], "1 of 5 frames is missing in holes.h5 and was skipped: 4");
    ks::Run run;
    run.result = result;
    const std::string text = summary_of(run);
    EXPECT_NE(text.find("1 missing, 1 left out"), std::string::npos) << text;
    EXPECT_NE(text.find("      2 left out\n"), std::string::npos) << text;
    EXPECT_NE(text.find("      4 missing\n"), std::string::npos) << text;
    EXPECT_FALSE(drawn(same).result().facts.contains("left_out_frames"));
}

/// Floats of 1 but for what is put in; a spot of 3 x 2 pixels is the signal of frames that have any.
Collected floats(std::size_t frames, const std::vector<std::size_t>& without_signal) {
    Collected scene{Array::of<float>({frames, 8, 10}, std::vector<float>(frames * 80, 1.0F))};
    for (std::size_t k = 0; k < frames; ++k) {
        const bool none = std::ranges::find(without_signal, k) != without_signal.end();
        scene.signals.push_back(none ? std::vector<std::uint32_t>{}
                                     : std::vector<std::uint32_t>{33, 34, 35, 43, 44, 45});
    }
    return scene;
}

void invalidate(Collected& scene, std::size_t frame, std::size_t first, std::size_t last, float value) {
    const auto values = scene.stack.as<float>();
    for (std::size_t i = first; i < last; ++i) values[frame * 80 + i] = value;
}

TEST(SpotCollector, frames_with_few_valid_pixels_are_named_with_what_leaves_them_out) {
    Collected scene = floats(9, {3, 4, 6, 8});
    for (const std::size_t frame : {3, 4}) invalidate(scene, frame, 0, 80, NAN);
    invalidate(scene, 6, 0, 50, INFINITY);  // and frame 8 has only no signal
    scene.left_out = {1};
    const Result result = scene.result();
    ASSERT_EQ(result.warnings.size(), 1u);
    EXPECT_EQ(
        result.warnings[0],
        "frames 3 to 4 have no valid pixel: all are NaN, infinite or saturated, and no spot continues "
        "across them; at least half of the pixels of frame 6 are invalid, too; use --leave-out 1,3-4,6 to "
        "leave them out");
    EXPECT_EQ(result.facts["frames_without_valid"], 2);
    const auto state = result.at("frame_missing").values.as<std::uint8_t>();
    EXPECT_EQ(std::vector<int>(state.begin(), state.end()), (std::vector<int>{0, 3, 0, 4, 4, 0, 0, 0, 0}));
    ks::Run run;
    run.result = result;
    const std::string text = summary_of(run);
    EXPECT_NE(text.find("      3 no valid pixel\n"), std::string::npos) << text;
    EXPECT_NE(text.find(", 2 without a valid pixel"), std::string::npos) << text;
    EXPECT_TRUE(floats(9, {3, 4, 6, 8}).result().warnings.empty());
}

TEST(SpotCollector, pixels_that_a_mask_ignores_do_not_make_a_frame_invalid) {
    Collected scene = floats(3, {1});
    invalidate(scene, 1, 0, 60, -INFINITY);
    scene.ignore.assign(80, 0);
    std::fill_n(scene.ignore.begin(), 60, std::uint8_t{1});
    scene.signals = {{}, {}, {}};
    EXPECT_TRUE(scene.result().warnings.empty());
    scene.ignore.assign(80, 0);
    scene.limit = 1;
    const Result saturated = scene.result();
    ASSERT_EQ(saturated.warnings.size(), 1u);
    EXPECT_EQ(saturated.warnings[0],
              "frames 0 to 2 have no valid pixel: all are NaN, infinite or saturated, and no spot continues "
              "across them");
}

TEST(SpotCollector, empty_frames_give_an_empty_table) {
    const Result result = drawn({{"...", "..."}, {"...", "..."}}).result();
    EXPECT_TRUE(spots_of(result).empty());
    EXPECT_EQ(result.facts["spots"], 0);
    EXPECT_EQ(result.at("frame").values.size(), 2u);
    EXPECT_TRUE(std::isnan(result.at("frame_d").values.as<double>()[0]));
}

TEST(SpotCollector, the_resolution_of_a_frame_is_near_the_smallest_d_of_its_spots) {
    Collected scene = row_of_spots(30);
    scene.geometry = {1.0, 20, -200, 1.5, 100, 100};
    const auto spots = scene.spots();
    ASSERT_EQ(spots.size(), 30u);
    const double d = scene.result().at("frame_d").values.as<double>()[0];
    EXPECT_GE(d, spots.back().d);
    EXPECT_LT(d, spots[25].d);
    EXPECT_TRUE(std::isnan(row_of_spots(30).result().at("frame_d").values.as<double>()[0]));
    Collected few = row_of_spots(9);
    few.geometry = scene.geometry;
    EXPECT_TRUE(std::isnan(few.result().at("frame_d").values.as<double>()[0]));
}

TEST(SpotCollector, names_of_reasons_are_words) {
    EXPECT_STREQ(name_of(Dropped::kept), "kept");
    EXPECT_STREQ(name_of(Dropped::too_small), "too small");
    EXPECT_STREQ(name_of(Dropped::ice), "ice");
}
