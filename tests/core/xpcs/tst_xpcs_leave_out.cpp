// Frames that are left out of a correlation: the others keep their places in time.

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>

#include "core/run/run.h"
#include "core/xpcs/analysis.h"
#include "tests/core/io/io_fixture.h"
#include "tests/core/xpcs/oracle.h"

namespace ks::tests::xpcs_leave_out {
namespace {

using xpcs::CorrelationProblem;
using Frames = std::vector<std::size_t>;

constexpr std::size_t height = 6, width = 7, pixels = height * width;
constexpr std::uint64_t in_memory = std::uint64_t{1} << 30;

template <class T>
Case<T> made(std::size_t frames, T largest, unsigned seed = 3) {
    Case<T> given{frames, height, width, {}, {}};
    std::mt19937 random(seed);
    for (std::size_t i = 0; i < frames * pixels; ++i)
        given.counts.push_back(static_cast<T>(random() % static_cast<unsigned>(largest)));
    for (std::size_t p = 0; p < pixels; ++p) given.labels.push_back(static_cast<std::int32_t>(p % 4));
    return given;
}

std::vector<double> values(const Result& result, const char* name) {
    return result.at(name).values.to_doubles();
}

void expect_same(const std::vector<double>& found, const std::vector<double>& expected, double relative,
                 const std::string& what) {
    ASSERT_EQ(found.size(), expected.size()) << what;
    for (std::size_t i = 0; i < found.size(); ++i) {
        if (std::isnan(expected[i]))
            EXPECT_TRUE(std::isnan(found[i])) << what << " at " << i;
        else
            EXPECT_NEAR(found[i], expected[i], relative * std::abs(expected[i])) << what << " at " << i;
    }
}

template <class T>
void expect_definition(const Case<T>& given) {
    const Expected expected = direct(given);
    for (const std::uint64_t keep : {std::uint64_t{0}, in_memory})
        for (const HostVariant& variant : xpcs::host_variants()) {
            SCOPED_TRACE(variant.info.id);
            if (!takes(variant.info, *given.problem(keep))) continue;
            const Result result = run_host(variant, *given.problem(keep));
            if (is_averaged(result)) continue;
            expect_same(values(result, "g2"), expected.g2, tolerance(variant.info, "g2", 1e-12), "g2");
            expect_same(values(result, "g2_err"), as_computed(variant.info, "g2_err", expected.g2_err),
                        tolerance(variant.info, "g2_err", 1e-9), "g2_err");
            if (!variant.info.computes("two_time")) continue;
            expect_same(values(result, "two_time"), expected.two_time,
                        tolerance(variant.info, "two_time", 1e-12), "two_time");
        }
}

TEST(XpcsLeaveOut, every_host_variant_takes_the_pairs_that_remain_at_their_delays) {
    auto counts = made<std::uint16_t>(20, 900);
    counts.two_time_bin = 2;
    for (const Frames& frames : {Frames{0}, Frames{19}, Frames{4, 5, 6, 11}, Frames{0, 2, 4, 6, 8, 18, 19}}) {
        counts.left_out = frames;
        expect_definition(counts);
    }
    auto reals = made<float>(15, 40);
    for (float& value : reals.counts) value = value * 0.37F - 2.0F;
    reals.left_out = {3, 9, 10};
    reals.two_time_bin = 1;
    expect_definition(reals);
}

TEST(XpcsLeaveOut, sums_of_whole_counts_are_those_of_the_kept_pairs_to_the_bit) {
    auto given = made<std::uint16_t>(24, 60000);
    given.left_out = {0, 7, 8, 20};
    const std::vector<double> g2 = values(run_host(host_variant("host.reference"), *given.problem()), "g2");
    for (std::int32_t label = 1; label <= 3; ++label)
        for (std::size_t delay = 0; delay < given.frames; ++delay) {
            std::uint64_t g = 0;
            double ss = 0, n = 0;
            for (const std::int32_t one : given.labels) n += one == label ? 1 : 0;
            for (std::size_t t = 0; t + delay < given.frames; ++t) {
                if (!given.uses(t) || !given.uses(t + delay)) continue;
                std::uint64_t s1 = 0, s2 = 0;
                for (std::size_t p = 0; p < pixels; ++p) {
                    if (given.labels[p] != label) continue;
                    const std::uint64_t a = given.counts[t * pixels + p],
                                        b = given.counts[(t + delay) * pixels + p];
                    g += a * b;
                    s1 += a;
                    s2 += b;
                }
                ss += static_cast<double>(s1) * static_cast<double>(s2) / n;
            }
            const double found = g2[static_cast<std::size_t>(label - 1) * given.frames + delay];
            if (ss == 0)
                EXPECT_TRUE(std::isnan(found)) << label << ", " << delay;
            else
                EXPECT_EQ(found, static_cast<double>(g) / ss) << label << ", " << delay;
        }
}

TEST(XpcsLeaveOut, what_the_frames_hold_means_nothing) {
    auto given = made<float>(16, 30);
    given.two_time_bin = 3;
    given.left_out = {2, 3, 14};
    for (const HostVariant& variant : xpcs::host_variants()) {
        const Result expected = run_host(variant, *given.problem());
        EXPECT_EQ(expected.facts["left_out_frames"], 3);
        for (const float junk : {NAN, INFINITY, -1.0F, 0.5F, 3e30F}) {
            auto other = given;
            for (const std::size_t frame : given.left_out)
                std::fill_n(other.counts.begin() + static_cast<std::ptrdiff_t>(frame * pixels), pixels, junk);
            const auto problem = other.problem();
            EXPECT_EQ(problem->invalid_pixels(), 0U);
            EXPECT_EQ(problem->compact(), ElementType::u8);
            const Result found = run_host(variant, *problem);
            for (const char* name : {"g2", "g2_err", "two_time"}) {
                if (!variant.info.computes(name)) continue;
                EXPECT_TRUE(found.at(name).values == expected.at(name).values) << name << ", " << junk;
            }
            EXPECT_EQ(found.warnings, expected.warnings);
            EXPECT_EQ(found.warnings.empty(), variant.info.computes("two_time"));
        }
    }
}

TEST(XpcsLeaveOut, a_delay_without_a_pair_is_nan_and_named) {
    auto given = made<std::uint8_t>(10, 9);
    given.left_out = {0, 1, 5};
    const auto problem = given.problem();
    EXPECT_EQ(problem->pairs(), (Frames{7, 5, 4, 3, 3, 3, 2, 1, 0, 0}));
    const Result result = run_host(host_variant("host.reference"), *problem);
    const std::vector<double> g2 = values(result, "g2");
    EXPECT_TRUE(std::isfinite(g2[7]));
    EXPECT_TRUE(std::isnan(g2[8]) && std::isnan(g2[9]));
    ASSERT_EQ(result.warnings.size(), 1U);
    EXPECT_EQ(result.warnings[0], "no pairs of frames are left at delays 8 to 9, so g2 is NaN there");
    problem->limit_delays(8);
    EXPECT_TRUE(run_host(host_variant("host.reference"), *problem).warnings.empty());
}

TEST(XpcsLeaveOut, other_frames_left_out_are_other_frames_to_all_that_keep_them) {
    auto given = made<std::uint8_t>(10, 9);
    given.left_out = {4, 5};
    EXPECT_TRUE(given.problem()->frames_key().ends_with("[0,10) without 4-5"));
    given.left_out = {};
    EXPECT_TRUE(given.problem()->frames_key().ends_with("[0,10)"));
}

TEST(XpcsLeaveOut, the_check_passes_and_fails_where_a_left_out_frame_took_part) {
    auto given = made<std::uint16_t>(30, 500);
    given.two_time_bin = 1;
    const auto whole = given.problem();
    given.left_out = {3, 4, 28};
    const auto some = given.problem();
    Progress progress;
    for (const CheckMode mode : {CheckMode::sample, CheckMode::full}) {
        ks::Run run;
        run.variant = host_variant("host.reference").info;
        run.result = run_host(host_variant("host.reference"), *some);
        EXPECT_NE(xpcs::check_correlation(*some, run, mode, progress).state, Verdict::State::fail);
        run.result = run_host(host_variant("host.reference"), *whole);
        EXPECT_EQ(xpcs::check_correlation(*some, run, mode, progress).state, Verdict::State::fail);
    }
}

Request request_of(const ParameterSet& given) {
    Request request;
    request.analysis = "xpcs";
    std::vector<std::uint16_t> counts(10 * pixels);
    for (std::size_t i = 0; i < counts.size(); ++i) counts[i] = static_cast<std::uint16_t>(i * i % 11);
    request.inputs["frames"] = {"frames", Array::of<std::uint16_t>({10, height, width}, counts)};
    request.inputs["partition"] = {"rings:3,3,0,2,2"};
    request.parameters = checked(xpcs::make_analyses().front().info().parameters, given);
    return request;
}

std::shared_ptr<const CorrelationProblem> load(const ParameterSet& given) {
    Progress progress;
    return std::dynamic_pointer_cast<const CorrelationProblem>(
        xpcs::make_analyses().front().load(request_of(given), progress, nullptr));
}

TEST(XpcsLeaveOut, numbers_are_those_of_the_series_whatever_range_is_used) {
    const auto problem = load({{"leave_out", "2,5-6"}, {"first_frame", std::int64_t{4}}});
    EXPECT_EQ(problem->frames(), 6U);
    for (std::size_t t = 0; t < 6; ++t) EXPECT_EQ(problem->used(t), t != 1 && t != 2) << t;
    ASSERT_EQ(problem->notices.size(), 1U);
    EXPECT_EQ(problem->notices[0], "leave_out lists frame 2, but only frames 4 to 9 are used");
    EXPECT_TRUE(contains(input_error([] {
                             load({{"leave_out", "4-9"}, {"first_frame", std::int64_t{4}}});
                         }),
                         {"leave_out", "all 6 frames from 4 to 9 are left out"}));
    EXPECT_TRUE(problem->frames_key().ends_with("[4,10) without 5-6"));
}

TEST(XpcsLeaveOut, a_delay_beyond_the_series_is_told) {
    EXPECT_TRUE(load({{"max_delay", std::int64_t{9}}})->notices.empty());
    const auto problem = load({{"max_delay", std::int64_t{10}}});
    ASSERT_EQ(problem->notices.size(), 1U);
    EXPECT_EQ(problem->notices[0], "the maximum delay is 10, but 10 frames only have delays up to 9");
    EXPECT_EQ(problem->delays(), 10U);
}

}  // namespace
}  // namespace ks::tests::xpcs_leave_out
