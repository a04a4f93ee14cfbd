#include <gtest/gtest.h>

#include <random>

#include "core/xpcs/correlation.h"
#include "tests/core/xpcs/oracle.h"

using ks::HostVariant;
using ks::Result;

namespace {

/// NaN in the same places, else within tolerance of the reference or `floor`.
void expect_near(const std::vector<double>& found, const std::vector<double>& expected, double relative,
                 double floor, const std::string& what) {
    ASSERT_EQ(found.size(), expected.size()) << what;
    for (std::size_t i = 0; i < found.size(); ++i) {
        ASSERT_EQ(std::isnan(found[i]), std::isnan(expected[i])) << what << " at " << i;
        if (!std::isnan(found[i])) {
            ASSERT_NEAR(found[i], expected[i], relative * std::abs(expected[i]) + floor)
                << what << " at " << i;
        }
    }
}

/// Every host variant against the definition.
template <class T>
void expect_all_agree(const Case<T>& given) {
    const auto problem = given.problem();
    const Expected expected = direct(given);
    for (const HostVariant& variant : ks::xpcs::host_variants()) {
        SCOPED_TRACE(variant.info.id);
        if (!takes(variant.info, *problem)) continue;
        const Result result = run_host(variant, *problem);
        if (is_averaged(result)) continue;
        const double g2 = tolerance(variant.info, "g2", 1e-12);
        expect_near(result.at("g2").values.to_doubles(), expected.g2, g2, 0, "g2");
        expect_near(result.at("g2_err").values.to_doubles(),
                    as_computed(variant.info, "g2_err", expected.g2_err),
                    tolerance(variant.info, "g2_err", 1e-9), 1e-15 + 0.001 * g2, "g2_err");
        if (given.two_time_bin > 0 && variant.info.computes("two_time"))
            expect_near(result.at("two_time").values.to_doubles(), expected.two_time,
                        tolerance(variant.info, "two_time", 1e-12), 0, "two_time");
    }
}

template <class T, class Draw>
Case<T> rings_case(std::size_t frames, std::size_t height, std::size_t width, const Draw& draw) {
    Case<T> made{frames, height, width, {}, {}};
    for (std::size_t i = 0; i < frames * height * width; ++i) made.counts.push_back(draw());
    for (std::size_t i = 0; i < height; ++i)
        for (std::size_t j = 0; j < width; ++j)
            made.labels.push_back(static_cast<std::int32_t>(
                std::hypot(static_cast<double>(i) - 10.0, static_cast<double>(j) - 12.0) / 4.0));
    return made;
}

TEST(Correlators, AgreeWithTheDefinitionOnPoissonCountsIn8Bits) {
    std::mt19937 random(1);
    std::poisson_distribution<int> poisson(3.0);
    auto given =
        rings_case<std::uint8_t>(37, 21, 25, [&] { return static_cast<std::uint8_t>(poisson(random)); });
    given.two_time_bin = 2;
    expect_all_agree(given);
}

TEST(Correlators, DoNotTakeCountsFrom200To255AsNegative) {
    std::mt19937 random(2);
    expect_all_agree(
        rings_case<std::uint8_t>(20, 21, 25, [&] { return static_cast<std::uint8_t>(200 + random() % 56); }));
}

TEST(Correlators, AgreeOnGapsAndEmptyBins) {
    std::mt19937 random(3);
    auto given =
        rings_case<std::uint8_t>(15, 21, 25, [&] { return static_cast<std::uint8_t>(random() % 9); });
    for (std::int32_t& label : given.labels) {
        if (label == 2) label = 0;
        if (label == 3) label = 9;
    }
    given.two_time_bin = 2;
    expect_all_agree(given);
    const auto g2 = run_host(host_variant("host.reference"), *given.problem()).at("g2").values.to_doubles();
    for (std::size_t delay = 0; delay < 15; ++delay) EXPECT_TRUE(std::isnan(g2[1 * 15 + delay]));
}

TEST(Correlators, LeaveFramesWithoutCountsOutOfTheErrorOnly) {
    std::mt19937 random(4);
    auto given =
        rings_case<std::uint8_t>(16, 21, 25, [&] { return static_cast<std::uint8_t>(1 + random() % 5); });
    const std::size_t pixels = 21 * 25;
    for (const std::size_t t : {3U, 4U, 11U})
        for (std::size_t p = 0; p < pixels; ++p)
            if (given.labels[p] == 2) given.counts[t * pixels + p] = 0;
    for (std::size_t p = 0; p < given.counts.size(); ++p)
        if (given.labels[p % pixels] == 1) given.counts[p] = 0;
    given.two_time_bin = 2;
    expect_all_agree(given);
    const Result result = run_host(host_variant("host.reference"), *given.problem());
    EXPECT_TRUE(std::isnan(result.at("g2").values.as<double>()[1]));
    EXPECT_TRUE(std::isfinite(result.at("g2_err").values.as<double>()[16 + 1]));
}

TEST(Correlators, WarnWhereAMapWasWantedAndNoneWasMade) {
    Case<std::uint8_t> given{3, 2, 2, std::vector<std::uint8_t>(12, 4), {1, 1, 2, 2}};
    given.two_time_bin = 2;
    const Result result = ks::xpcs::to_result(
        {2, 3, std::vector<double>(6, 1.0), std::vector<double>(6, 0.1), {}}, *given.problem());
    EXPECT_EQ(result.find("two_time"), nullptr);
    EXPECT_FALSE(result.facts.contains("two_time"));
    ASSERT_EQ(result.warnings.size(), 1U);
    EXPECT_NE(result.warnings[0].find("no two-time map of bin 2"), std::string::npos) << result.warnings[0];
}

TEST(Correlators, KeepSaturated16BitCountsOf90000PixelsExact) {
    std::mt19937 random(5);
    Case<std::uint16_t> given{6, 300, 300, {}, std::vector<std::int32_t>(90000, 1)};
    for (std::size_t i = 0; i < 6 * 90000; ++i)
        given.counts.push_back(random() % 10 == 0 ? static_cast<std::uint16_t>(random())
                                                  : std::uint16_t{65535});
    given.two_time_bin = 1;
    expect_all_agree(given);
}

TEST(Correlators, SurviveABinOf65536Pixels) {
    std::mt19937 random(6);
    std::poisson_distribution<int> poisson(2.0);
    Case<std::uint8_t> given{8, 256, 256, {}, std::vector<std::int32_t>(65536, 1)};
    for (std::size_t i = 0; i < 8 * 65536; ++i)
        given.counts.push_back(static_cast<std::uint8_t>(poisson(random)));
    expect_all_agree(given);
}

TEST(Correlators, HoldTheirToleranceOnNarrowLargeCounts) {
    std::mt19937 random(7);
    std::poisson_distribution<int> poisson(220.0);
    Case<std::uint16_t> given{12, 256, 256, {}, std::vector<std::int32_t>(65536, 1)};
    for (std::size_t i = 0; i < 12 * 65536; ++i)
        given.counts.push_back(static_cast<std::uint16_t>(poisson(random)));
    expect_all_agree(given);
}

TEST(Correlators, TakeNegativeFloatsForCounts) {
    std::mt19937 random(21);
    std::poisson_distribution<int> poisson(3.0);
    std::normal_distribution<float> noise(0, 0.5F);
    // a dark image was subtracted: as many are below 0 as above
    auto dark = rings_case<float>(24, 21, 25,
                                  [&] { return static_cast<float>(poisson(random)) - 3.0F + noise(random); });
    dark.two_time_bin = 2;
    EXPECT_EQ(dark.problem()->invalid_pixels(), 0U);
    EXPECT_EQ(dark.problem()->compact(), ks::ElementType::f32);
    expect_all_agree(dark);  // sums of both signs: C may be below 0, too
    auto offset = dark;
    for (float& count : offset.counts) count += 2.0F;
    expect_all_agree(offset);
    auto whole = rings_case<float>(10, 21, 25, [&] { return static_cast<float>(poisson(random)) - 1.0F; });
    EXPECT_EQ(whole.problem()->compact(), ks::ElementType::f32);
    expect_all_agree(whole);
}

TEST(Correlators, TakeNegativeIntegersForNone) {
    Case<std::int32_t> given{4, 1, 4, {5, 6, 7, 8, 5, -1, 7, 8, 5, 6, 9, 8, 5, 6, 7, 2}, {1, 1, 1, 1}};
    EXPECT_EQ(given.problem()->invalid_pixels(), 1U);
    expect_all_agree(given);
}

TEST(Correlators, AgreeOn32BitCounts) {
    std::mt19937 random(8);
    expect_all_agree(rings_case<std::uint32_t>(
        11, 21, 25, [&] { return static_cast<std::uint32_t>(random() % 1000000); }));
}

TEST(Correlators, TakeNegativePixelsOutOfTheirBins) {
    std::mt19937 random(9);
    auto given =
        rings_case<std::int32_t>(12, 21, 25, [&] { return static_cast<std::int32_t>(random() % 50); });
    given.counts[3 * 525 + 10 * 25 + 18] = -1;
    given.counts[7 * 525 + 10 * 25 + 19] = -2147483647;
    EXPECT_EQ(given.problem()->invalid_pixels(), 2U);
    expect_all_agree(given);
}

TEST(Correlators, AgreeOnFractionalCountsWithNanAndInfinity) {
    std::mt19937 random(10);
    std::uniform_real_distribution<float> uniform(0.0F, 4.0F);
    auto given = rings_case<float>(14, 21, 25, [&] { return uniform(random); });
    given.counts[5 * 525 + 10 * 25 + 18] = std::numeric_limits<float>::quiet_NaN();
    given.counts[13 * 525 + 10 * 25 + 19] = std::numeric_limits<float>::infinity();
    given.counts[0 * 525 + 10 * 25 + 20] = -std::numeric_limits<float>::infinity();
    given.two_time_bin = 3;
    EXPECT_EQ(given.problem()->invalid_pixels(), 3U);
    EXPECT_EQ(given.problem()->compact(), ks::ElementType::f32);
    expect_all_agree(given);
}

TEST(Correlators, AgreeOnFloatsWhoseSquaresAreNoFloats) {
    for (const float unit : {1e-30F, 1e-22F, 1e18F, 1e30F}) {
        SCOPED_TRACE(unit);
        std::mt19937 random(17);
        std::poisson_distribution<int> poisson(3.0);
        expect_all_agree(
            rings_case<float>(10, 21, 25, [&] { return unit * static_cast<float>(poisson(random)); }));
    }
}

TEST(Correlators, OneFrameHasOneDelayWithoutError) {
    std::mt19937 random(11);
    auto given =
        rings_case<std::uint8_t>(1, 21, 25, [&] { return static_cast<std::uint8_t>(1 + random() % 5); });
    expect_all_agree(given);
    const Result result = run_host(host_variant("host.reference"), *given.problem());
    EXPECT_EQ(result.at("g2_err").values.as<double>()[0], 0.0);
}

TEST(Correlators, TheErrorAtTheLastDelayIsZero) {
    std::mt19937 random(12);
    auto given =
        rings_case<std::uint8_t>(9, 21, 25, [&] { return static_cast<std::uint8_t>(1 + random() % 5); });
    for (const HostVariant& variant : ks::xpcs::host_variants())
        if (const Result result = run_host(variant, *given.problem());
            variant.info.computes("g2_err") && !is_averaged(result)) {
            EXPECT_EQ(result.at("g2_err").values.as<double>()[8], 0.0) << variant.info.id;
        }
}

TEST(Correlators, TheReferenceGivesTheSameBytesForEveryNumberOfThreads) {
    std::mt19937 random(13);
    std::uniform_real_distribution<float> uniform(0.0F, 4.0F);
    auto given = rings_case<float>(33, 21, 25, [&] { return uniform(random); });
    given.two_time_bin = 1;
    const auto problem = given.problem();
    const Result one = run_host(host_variant("host.reference"), *problem, 1);
    for (const unsigned threads : {2U, 3U, 7U}) {
        const Result many = run_host(host_variant("host.reference"), *problem, threads);
        for (const char* name : {"g2", "g2_err", "two_time"}) {
            const auto a = one.at(name).values.bytes(), b = many.at(name).values.bytes();
            EXPECT_TRUE(std::equal(a.begin(), a.end(), b.begin(), b.end())) << name;
        }
    }
}

TEST(Correlators, ConstantFramesGiveOneWithoutError) {
    const auto given = rings_case<std::uint8_t>(10, 21, 25, [] { return std::uint8_t{7}; });
    const Result result = run_host(host_variant("host.reference"), *given.problem());
    for (const double g2 : result.at("g2").values.to_doubles()) EXPECT_DOUBLE_EQ(g2, 1.0);
    for (const double error : result.at("g2_err").values.to_doubles()) EXPECT_NEAR(error, 0.0, 1e-15);
}

TEST(Correlators, SayHowMuchMemoryTheyWouldTake) {
    const auto given = rings_case<std::uint8_t>(10, 21, 25, [] { return std::uint8_t{7}; });
    for (const HostVariant& variant : ks::xpcs::host_variants()) {
        ks::Request request;
        ks::Progress progress;
        std::vector<ks::Timing> timings;
        ks::HostContext context{request, progress, timings, 1, 100};
        EXPECT_THROW(variant.launch(*given.problem(), context), ks::Error) << variant.info.id;
    }
}

}  // namespace
