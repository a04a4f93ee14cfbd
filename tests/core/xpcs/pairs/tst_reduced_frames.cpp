// Strides, sums of frames, and frames that are found to be outliers.

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "core/run/run.h"
#include "core/xpcs/analysis.h"
#include "core/xpcs/pairs/outliers.h"
#include "core/xpcs/pairs/reduced_frames.h"
#include "tests/core/io/io_fixture.h"
#include "tests/core/xpcs/oracle.h"

namespace ks::tests::reduced_frames {
namespace {

constexpr std::size_t height = 6, width = 7, pixels = height * width;

template <class T>
std::vector<T> random_counts(std::size_t frames, unsigned largest) {
    std::vector<T> counts;
    std::mt19937 random(9);
    for (std::size_t i = 0; i < frames * pixels; ++i) counts.push_back(static_cast<T>(random() % largest));
    return counts;
}

template <class T>
Request request_of(const std::vector<T>& counts, const ParameterSet& given) {
    Request request;
    request.analysis = "xpcs";
    request.inputs["frames"] = {"frames", Array::of<T>({counts.size() / pixels, height, width}, counts)};
    request.inputs["partition"] = {"rings:3,3,0,2,2"};
    request.parameters = checked(xpcs::make_analyses().front().info().parameters, given);
    return request;
}

template <class T>
std::shared_ptr<const xpcs::CorrelationProblem> load(const std::vector<T>& counts,
                                                     const ParameterSet& given) {
    Progress progress;
    return std::dynamic_pointer_cast<const xpcs::CorrelationProblem>(
        xpcs::make_analyses().front().load(request_of(counts, given), progress, nullptr));
}

/// The frames numbered first + stride (average k + i) added up over i, as wide integers.
template <class T>
std::vector<std::int32_t> reduced(const std::vector<T>& counts, std::size_t first, std::size_t end,
                                  std::size_t stride, std::size_t average) {
    std::vector<std::size_t> taken;
    for (std::size_t t = first; t < end; t += stride) taken.push_back(t);
    std::vector<std::int32_t> sums;
    for (std::size_t k = 0; k + average <= taken.size(); k += average)
        for (std::size_t p = 0; p < pixels; ++p) {
            std::int32_t sum = 0;
            for (std::size_t i = 0; i < average; ++i) sum += counts[taken[k + i] * pixels + p];
            sums.push_back(sum);
        }
    return sums;
}

TEST(ReducedFrames, every_variant_gives_the_bytes_of_the_reduced_series) {
    const auto counts = random_counts<std::uint16_t>(40, 900);
    for (const auto& [stride, average] :
         std::vector<std::pair<int, int>>{{2, 1}, {1, 3}, {3, 2}, {1, 1}, {39, 1}}) {
        const auto found = load(counts, {{"stride", std::int64_t{stride}},
                                         {"average", std::int64_t{average}},
                                         {"first_frame", std::int64_t{1}},
                                         {"two_time_bin", std::int64_t{1}}});
        const auto expected =
            load(reduced(counts, 1, 40, static_cast<std::size_t>(stride), static_cast<std::size_t>(average)),
                 {{"two_time_bin", std::int64_t{1}}});
        for (const HostVariant& variant : xpcs::host_variants()) {
            const Result a = run_host(variant, *found), b = run_host(variant, *expected);
            for (const char* name : {"g2", "g2_err", "two_time"}) {
                if (!variant.info.computes(name)) continue;
                EXPECT_TRUE(std::ranges::equal(a.at(name).values.bytes(), b.at(name).values.bytes()))
                    << variant.info.id << ", " << name << ", " << stride << ", " << average;
            }
        }
    }
}

TEST(ReducedFrames, a_frame_that_is_left_out_leaves_out_the_sum_it_is_in) {
    const auto counts = random_counts<std::uint8_t>(24, 30);
    const auto found =
        load(counts, {{"average", std::int64_t{3}}, {"leave_out", "4,5,20"}, {"stride", std::int64_t{2}}});
    // Frames 0, 2, 4 | 6, 8, 10 | 12, 14, 16 | 18, 20, 22; frame 5 is in none of them.
    ASSERT_EQ(found->frames(), 4U);
    EXPECT_FALSE(found->used(0));
    EXPECT_TRUE(found->used(1) && found->used(2));
    EXPECT_FALSE(found->used(3));
    EXPECT_EQ(found->scan()->all_out({1}), (std::vector<std::size_t>{4, 5, 6, 8, 10, 20}));
    const std::string all = input_error([&] {
        load(counts, {{"average", std::int64_t{24}}, {"leave_out", "7"}});
    });
    EXPECT_TRUE(contains(all, {"each of the 1 frames", "left out"}));
}

TEST(ReducedFrames, a_value_that_is_no_count_makes_the_pixel_invalid_in_its_sum) {
    auto counts = random_counts<std::uint16_t>(12, 50);
    counts[5 * pixels + 3 * width + 3] = 60000;  // in the first ring
    const auto whole = load(counts, {{"average", std::int64_t{4}}, {"saturation", 60000.0}});
    EXPECT_EQ(whole->invalid_pixels(), 1U);
    EXPECT_LE(whole->max_count(), 4 * 49);
    auto reals = std::vector<float>(counts.begin(), counts.end());
    reals[5 * pixels + 3 * width + 3] = NAN;
    EXPECT_EQ(load(reals, {{"average", std::int64_t{4}}})->invalid_pixels(), 1U);
    auto negative = std::vector<std::int32_t>(counts.begin(), counts.end());
    negative[5 * pixels + 3 * width + 3] = -3;
    EXPECT_EQ(load(negative, {{"average", std::int64_t{4}}})->invalid_pixels(), 1U);
    EXPECT_EQ(load(counts, {{"average", std::int64_t{4}}})->invalid_pixels(), 0U);
}

TEST(ReducedFrames, times_are_those_between_frames_of_the_reduced_series) {
    const auto counts = random_counts<std::uint16_t>(12, 50);
    const auto problem =
        load(counts, {{"average", std::int64_t{2}}, {"stride", std::int64_t{3}}, {"frame_time", 0.5}});
    EXPECT_EQ(problem->frame_time, 3.0);
    const Result result = run_host(host_variant("host.pairs"), *problem);
    EXPECT_EQ(result.at("delay_time").values.to_doubles(), (std::vector<double>{0, 3}));
    EXPECT_EQ(result.facts["stride"], 3);
    EXPECT_EQ(result.facts["average"], 2);
}

TEST(ReducedFrames, the_used_range_is_that_of_its_frames) {
    const io::FrameRange range{10, 20, {12, 13, 29}};
    EXPECT_EQ(xpcs::used_range(range, {}), range);
    EXPECT_EQ(xpcs::used_range(range, {.stride = 5}).left_out,
              (std::vector<std::size_t>{11, 12, 13, 14, 16, 17, 18, 19, 21, 22, 23, 24, 26, 27, 28, 29}));
    EXPECT_EQ(xpcs::used_range(range, {.average = 3}).left_out,
              (std::vector<std::size_t>{10, 11, 12, 13, 14, 15, 28, 29}));
    // 10, 12, 14 | 16, 18, 20 | 22, 24, 26
    EXPECT_EQ(xpcs::used_range(range, {.stride = 2, .average = 3}).left_out,
              (std::vector<std::size_t>{10, 11, 12, 13, 14, 15, 17, 19, 21, 23, 25, 27, 28, 29}));
    EXPECT_EQ(xpcs::used_range(range, {.average = 21}).left_out.size(), 20U);
}

TEST(ReducedFrames, what_cannot_be_reduced_is_refused_in_a_sentence) {
    const auto counts = random_counts<std::uint16_t>(12, 50);
    EXPECT_TRUE(contains(input_error([&] {
                             load(counts, {{"average", std::int64_t{13}}});
                         }),
                         {"12 frames are too few for a stride of 1 and sums of 13 frames"}));
    EXPECT_TRUE(contains(input_error([&] { load(counts, {{"stride", std::int64_t{0}}}); }), {"stride"}));
    std::vector<std::int32_t> bright(4 * pixels, 2000000000);
    EXPECT_TRUE(contains(input_error([&] {
                             load(bright, {{"average", std::int64_t{2}}});
                         }),
                         {"the sum of 2 frames from frame 0 on exceeds 2147483647"}));
    const auto problem = load(counts, {{"average", std::int64_t{5}}});
    ASSERT_EQ(problem->notices.size(), 1U);
    EXPECT_EQ(problem->notices[0], "the last 2 of 12 frames do not fill a sum of 5, and are not used");
    // 0, 2, 4, 6 | 8, 10
    EXPECT_EQ(load(counts, {{"stride", std::int64_t{2}}, {"average", std::int64_t{4}}})->notices.at(0),
              "the last 2 of 6 strided frames do not fill a sum of 4, and are not used");
}

TEST(Outliers, are_found_and_healthy_series_have_none) {
    using xpcs::Outlier;
    using xpcs::OutlierReason;
    std::mt19937 random(2);
    std::poisson_distribution<int> noise(10000);
    std::vector<double> sums;
    for (int t = 0; t < 500; ++t)  // slow drift and a fast beat besides the noise of counts
        sums.push_back(noise(random) * (1 + 0.0005 * t) * (1 + 0.01 * std::sin(t)));
    EXPECT_TRUE(xpcs::outliers_of(sums).empty());
    sums[0] = 20000;
    sums[40] = sums[41] = sums[42] = 3;
    sums[100] *= 0.7;
    sums[499] *= 1.5;
    EXPECT_EQ(xpcs::outliers_of(sums), (std::vector<Outlier>{{0, OutlierReason::high},
                                                             {40, OutlierReason::dark},
                                                             {41, OutlierReason::dark},
                                                             {42, OutlierReason::dark},
                                                             {100, OutlierReason::low},
                                                             {499, OutlierReason::high}}));
    // A shutter that stays closed for a third of the series is no new normal.
    for (std::size_t t = 300; t < 466; ++t) sums[t] = 0;
    EXPECT_EQ(xpcs::outliers_of(sums).size(), 6U + 166U);
    EXPECT_TRUE(xpcs::outliers_of(std::vector<double>{}).empty());
    EXPECT_TRUE(xpcs::outliers_of(std::vector<double>{5}).empty());
    EXPECT_TRUE(xpcs::outliers_of(std::vector<double>(30, 0.0)).empty());
}

TEST(Outliers, are_left_out_and_named_with_the_reason) {
    auto counts = random_counts<std::uint16_t>(60, 50);
    for (std::size_t p = 0; p < pixels; ++p) {
        counts[10 * pixels + p] = counts[11 * pixels + p] = 0;
        counts[30 * pixels + p] = 900;
    }
    const auto found = load(counts, {{"leave_out", "auto,7"}});
    EXPECT_EQ(found->scan()->range().left_out, (std::vector<std::size_t>{7, 10, 11, 30}));
    ASSERT_EQ(found->notices.size(), 2U);
    EXPECT_EQ(
        found->notices[0],
        "frames 10 to 11 were left out automatically (2 of 59), because their sums are below a tenth of "
        "the median of all frames: shutter closed, or no beam");
    EXPECT_EQ(
        found->notices[1],
        "frame 30 was left out automatically (1 of 59), because its sum is far above those of the frames "
        "around");
    EXPECT_TRUE(load(random_counts<std::uint16_t>(60, 50), {{"leave_out", "auto"}})->notices.empty());
    EXPECT_TRUE(contains(input_error([&] { load(counts, {{"leave_out", "automatic"}}); }), {"leave_out"}));
}

TEST(Outliers, are_looked_for_among_the_frames_that_are_used) {
    auto counts = random_counts<std::uint16_t>(60, 50);
    // Every second frame is three times as bright, and one of each kind is an outlier.
    for (std::size_t t = 1; t < 60; t += 2)
        for (std::size_t p = 0; p < pixels; ++p) counts[t * pixels + p] *= 3;
    for (std::size_t p = 0; p < pixels; ++p) counts[11 * pixels + p] = counts[30 * pixels + p] = 0;
    const auto even = load(counts, {{"leave_out", "auto"}, {"stride", std::int64_t{2}}});
    ASSERT_EQ(even->notices.size(), 1U);
    EXPECT_TRUE(contains(even->notices[0], {"frame 30 was left out automatically (1 of 30)"}))
        << even->notices[0];
    EXPECT_EQ(even->left_out(), (std::vector<std::size_t>{15}));
    // Frames 0 to 6 and 21 to 27 are used, since the sum with frame 11 is left out and 28 to 59 fill none.
    const auto sums = load(
        counts, {{"leave_out", "auto,11"}, {"average", std::int64_t{7}}, {"last_frame", std::int64_t{33}}});
    EXPECT_TRUE(std::ranges::none_of(
        sums->notices, [](const std::string& one) { return contains(one, {"automatically"}); }));
    EXPECT_EQ(sums->left_out(), (std::vector<std::size_t>{1}));
}

TEST(Outliers, frames_whose_pixels_are_partly_invalid_are_compared_by_the_others) {
    // The left half is ten times as bright as the right one, and one column is valid where others are not.
    std::vector<std::int32_t> counts;
    std::mt19937 random(4);
    for (std::size_t t = 0; t < 60; ++t)
        for (std::size_t p = 0; p < pixels; ++p)
            counts.push_back(std::poisson_distribution<std::int32_t>(p % width < 4 ? 500 : 50)(random));
    const auto is_in_left = [](std::size_t p) { return p % width < 4; };
    for (std::size_t p = 0; p < pixels; ++p) {
        for (const std::size_t t : {20, 21, 22})
            if (is_in_left(p)) counts[t * pixels + p] = -1;
        if (p % width == 4 || p % width == 5) counts[30 * pixels + p] = -1;
        // Without beam for a part of the time, and without valid pixels.
        counts[40 * pixels + p] = is_in_left(p) ? -1 : counts[40 * pixels + p] * 2 / 5;
        counts[50 * pixels + p] = -1;
    }
    const auto found = load(counts, {{"leave_out", "auto"}});
    EXPECT_EQ(found->scan()->range().left_out, (std::vector<std::size_t>{40, 50}));
    ASSERT_EQ(found->notices.size(), 2U);
    EXPECT_EQ(found->notices[0],
              "frame 50 was left out automatically (1 of 60), because it has no valid pixel in bins");
    EXPECT_TRUE(contains(found->notices[1], {"frame 40", "far below", "loss of beam"}));
    // Noise alone, if only few pixels count.
    for (std::size_t t = 0; t < 60; ++t)
        for (std::size_t p = 0; p < pixels; ++p)
            counts[t * pixels + p] =
                t % 20 == 0 && p != 2 * width + 5 ? -1 : static_cast<std::int32_t>(random() % 3);
    EXPECT_TRUE(load(counts, {{"leave_out", "auto"}})->scan()->range().left_out.empty());
    // If no frame has a valid pixel, this is what is said.
    const std::string none = input_error([] {
        load(std::vector<std::int32_t>(12 * pixels, -1), {{"leave_out", "auto"}});
    });
    EXPECT_TRUE(contains(none, {"is invalid", "in every frame"})) << none;
}

TEST(Outliers, values_that_are_no_counts_and_pixels_outside_bins_are_in_no_sum) {
    auto counts = random_counts<std::uint16_t>(60, 50);
    for (std::size_t t = 0; t < 60; ++t) counts[t * pixels + 3 * width + 3] = 65535;
    counts[20 * pixels + 3 * width + 3] = 7;
    counts[25 * pixels + 5 * width + 6] = 60000;  // outside the rings
    EXPECT_TRUE(
        load(counts, {{"leave_out", "auto"}, {"saturation", 65535.0}})->scan()->range().left_out.empty());
}

}  // namespace
}  // namespace ks::tests::reduced_frames
