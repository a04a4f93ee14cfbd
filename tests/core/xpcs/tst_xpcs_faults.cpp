// Pixels that are invalid in some frames only, and the frames that cause it.

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <memory>

#include "core/xpcs/series/normalised_frames.h"
#include "tests/core/io/io_fixture.h"
#include "tests/core/xpcs/oracle.h"

namespace ks::tests::xpcs_faults {
namespace {

using xpcs::CorrelationProblem;
using xpcs::FrameFaults;
using Frames = std::vector<std::size_t>;

constexpr std::size_t frames = 40, pixels = 48;

/// One bin of all pixels; counts of 1 to 7.
template <class T>
Case<T> sound() {
    Case<T> given{frames, 6, 8, {}, std::vector<std::int32_t>(pixels, 1)};
    for (std::size_t i = 0; i < frames * pixels; ++i) given.counts.push_back(static_cast<T>(1 + i * i % 7));
    return given;
}

template <class T>
void spoil(Case<T>& given, std::size_t frame, std::size_t first, std::size_t count, T value) {
    for (std::size_t p = first; p < first + count; ++p) given.counts[frame * pixels + p] = value;
}

std::vector<std::string> warnings(const CorrelationProblem& problem) {
    return run_host(host_variant("host.reference"), problem).warnings;
}

template <class T>
std::string refusal(const Case<T>& given) {
    return input_error([&] { given.problem(); });
}

TEST(XpcsFaults, a_frame_that_makes_pixels_invalid_is_named_with_what_keeps_them) {
    auto given = sound<float>();
    spoil(given, 36, 10, 12, static_cast<float>(NAN));
    for (std::size_t t = 0; t < frames; ++t) spoil(given, t, 40, 2, static_cast<float>(INFINITY));
    for (const std::uint64_t keep : {std::uint64_t{0}, std::uint64_t{1} << 30}) {
        const auto problem = given.problem(keep);
        EXPECT_EQ(problem->invalid_pixels(), 14U);
        EXPECT_EQ(problem->invalid_in_some(), (FrameFaults{12, {36}, {36}, 12}));
        const auto said = warnings(*problem);
        ASSERT_EQ(said.size(), 2U);
        EXPECT_EQ(
            said[0],
            "14 invalid pixels were removed from their bins (NaN, infinite or saturated); 12 of them are "
            "invalid only in some frames");
        EXPECT_EQ(said[1], "12 pixels are invalid only in frame 36; use --leave-out 36 to keep these pixels");
    }
    given.left_out = {36};
    const auto mended = given.problem();
    EXPECT_EQ(mended->invalid_pixels(), 2U);
    EXPECT_EQ(warnings(*mended),
              std::vector<std::string>{
                  "2 invalid pixels were removed from their bins (NaN, infinite or saturated)"});
}

TEST(XpcsFaults, what_makes_a_mean_or_a_quotient_invalid_is_said_of_the_counts) {
    // The quotients are f32, but the counts are neither NaN nor negative.
    auto counts = sound<std::uint16_t>();
    spoil(counts, 36, 10, 2, std::uint16_t{65535});
    const auto source =
        std::make_shared<MemoryFrames>("case", Array::of<std::uint16_t>({frames, 6, 8}, counts.counts));
    const auto divided =
        std::make_shared<xpcs::NormalisedFrames>(source, std::vector<double>(frames, 2), 60000);
    EXPECT_EQ(divided->type(), ElementType::f32);
    Progress progress;
    const CorrelationProblem problem(divided, QPartition(6, 8, counts.labels), 0, frames, 0, {}, 0, progress);
    EXPECT_EQ(problem.invalid_pixels(), 2U);
    EXPECT_EQ(warnings(problem).front(),
              "2 invalid pixels were removed from their bins (saturated); they are invalid only in some "
              "frames");
}

TEST(XpcsFaults, of_several_frames_those_that_cause_most_are_named_together) {
    auto given = sound<std::int32_t>();
    for (const std::size_t frame : {10U, 11U, 12U, 30U}) spoil(given, frame, 4, 20, -1);
    spoil(given, 3, 40, 1, -1);   // a pixel of its own,
    spoil(given, 20, 23, 1, -1);  // and one that is invalid elsewhere, too
    given.left_out = {39};
    const auto problem = given.problem();
    EXPECT_EQ(problem->invalid_in_some(), (FrameFaults{21, {}, {10, 11, 12, 30}, 19}));
    const auto said = warnings(*problem);
    ASSERT_EQ(said.size(), 3U);
    EXPECT_EQ(
        said[0],
        "21 invalid pixels were removed from their bins (negative or saturated); they are invalid only in "
        "some frames");
    EXPECT_EQ(
        said[1],
        "19 pixels are invalid only in frames 10 to 12 and 30; use --leave-out 10-12,30,39 to keep these "
        "pixels");
}

TEST(XpcsFaults, frames_that_spoil_a_pixel_each_are_named_where_they_are_few) {
    auto given = sound<std::uint16_t>();
    given.saturation = 60000;
    spoil<std::uint16_t>(given, 5, 0, 3, 60000);
    spoil<std::uint16_t>(given, 9, 10, 2, 65535);
    const auto two = given.problem();
    EXPECT_EQ(two->invalid_in_some(), (FrameFaults{5, {}, {5}, 3}));
    EXPECT_EQ(warnings(*two)[1],
              "3 pixels are invalid only in frame 5; use --leave-out 5 to keep these pixels");
    auto hot = sound<std::uint16_t>();
    hot.saturation = 60000;
    spoil<std::uint16_t>(hot, 5, 0, 1, 60000);
    EXPECT_EQ(warnings(*hot.problem())[1], "1 pixel is invalid only in frame 5")
        << "a frame is more of the counts than a pixel: 1 of 40, and 1 of 48";
    auto random = sound<std::uint16_t>();
    random.saturation = 60000;
    for (std::size_t p = 0; p < 24; ++p)
        for (std::size_t k = 0; k < 3; ++k)
            spoil<std::uint16_t>(random, (7 * p + 11 * k) % frames, p, 1, 60000);
    const auto problem = random.problem();
    EXPECT_EQ(problem->invalid_in_some(), (FrameFaults{24, {}, {}, 0}));
    EXPECT_EQ(warnings(*problem),
              std::vector<std::string>{
                  "24 invalid pixels were removed from their bins (saturated); they are invalid only in some "
                  "frames"});
}

TEST(XpcsFaults, a_frame_without_a_valid_pixel_is_named_in_the_refusal) {
    auto nan = sound<float>();
    for (std::size_t t = 0; t < frames; ++t) spoil(nan, t, 3, 1, static_cast<float>(NAN));
    spoil(nan, 13, 0, pixels, static_cast<float>(NAN));
    EXPECT_TRUE(
        contains(refusal(nan), {"frame 13 has no valid pixel in bins: all are NaN, infinite or saturated",
                                "leave it out with --leave-out 13"}));
    nan.left_out = {13};
    EXPECT_EQ(nan.problem()->invalid_pixels(), 1U);

    auto tail = sound<std::uint16_t>();
    for (std::size_t t = 36; t < frames; ++t) spoil<std::uint16_t>(tail, t, 0, pixels, 65535);
    tail.saturation = 65535;
    EXPECT_TRUE(contains(refusal(tail), {"frames 36 to 39 have no valid pixel in bins: all are saturated",
                                         "leave them out with --leave-out 36-39"}));
}

TEST(XpcsFaults, frames_that_leave_no_pixel_together_are_named_as_far_as_they_are_few) {
    auto halves = sound<std::int16_t>();
    spoil<std::int16_t>(halves, 3, 0, 24, -1);
    spoil<std::int16_t>(halves, 7, 24, 24, -1);
    EXPECT_TRUE(contains(
        refusal(halves),
        {"each of the 48 pixels in bins is invalid (negative or saturated) in some frame, 48 of them "
         "only in frames 3 and 7",
         "use --leave-out 3,7 to keep these pixels"}));
    auto many = sound<std::int16_t>();
    for (std::size_t p = 0; p < pixels; ++p)
        for (std::size_t k = 0; k < 3; ++k) spoil<std::int16_t>(many, (7 * p + 11 * k) % frames, p, 1, -1);
    EXPECT_TRUE(contains(
        refusal(many),
        {"each of the 48 pixels", "in at least one frame, and leaving out a few frames would not help"}));
    auto all = sound<std::int16_t>();
    for (std::size_t t = 0; t < frames; ++t) spoil<std::int16_t>(all, t, 0, pixels, -1);
    EXPECT_TRUE(contains(refusal(all), {"each of the 48 pixels", "in every frame"}));
}

TEST(XpcsFaults, frames_of_the_value_that_marks_no_count_are_named) {
    auto given = sound<std::uint16_t>();
    for (std::size_t t = 38; t < frames; ++t) spoil<std::uint16_t>(given, t, 0, pixels, 65535);
    const auto said = warnings(*given.problem());
    ASSERT_EQ(said.size(), 2U);
    EXPECT_TRUE(said[0].starts_with("48 pixels in bins have a count of 65535")) << said[0];
    EXPECT_EQ(said[1],
              "48 pixels have the value 65535 only in frames 38 to 39; if these frames are bad, use "
              "--leave-out 38-39");
    given.left_out = {38, 39};
    EXPECT_EQ(warnings(*given.problem()),
              std::vector<std::string>{"no pairs of frames are left at delays 38 to 39, so g2 is NaN there"});
    auto hot = sound<std::uint16_t>();
    for (std::size_t t = 0; t < frames; ++t) spoil<std::uint16_t>(hot, t, 5, 1, 65535);
    EXPECT_EQ(warnings(*hot.problem()).size(), 1U) << "no frame is to blame";
}

TEST(XpcsFaults, numbers_are_those_of_the_series) {
    auto given = sound<float>();
    spoil(given, 36, 10, 12, static_cast<float>(NAN));
    Progress progress;
    const CorrelationProblem problem(
        std::make_shared<MemoryFrames>("m", Array::of<float>({frames, 6, 8}, given.counts)),
        QPartition(6, 8, given.labels), 30, 10, 0, std::nullopt, 0, progress);
    EXPECT_EQ(problem.invalid_in_some().frames, Frames{36});
}

}  // namespace
}  // namespace ks::tests::xpcs_faults
