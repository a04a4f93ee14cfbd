// Estimators of g2 and of its error: host.pairs against plain loops over the raw frames, written once more.

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <random>

#include "core/xpcs/pairs/curves.h"
#include "core/xpcs/pairs/direct_estimate.h"
#include "tests/core/xpcs/oracle.h"

namespace ks::tests::estimates {
namespace {

using xpcs::ErrorMethod;
using xpcs::Estimate;
using xpcs::Estimator;

constexpr std::size_t height = 8, width = 30, all_pixels = height * width;

Case<std::uint16_t> speckle(std::size_t frames, unsigned seed = 5) {
    Case<std::uint16_t> given{frames, height, width, {}, {}};
    std::mt19937 random(seed);
    std::vector<double> level(all_pixels, 20);
    for (std::size_t t = 0; t < frames; ++t)
        for (double& one : level) {
            one = 20 + 0.8 * (one - 20) + static_cast<double>(random() % 9) - 4;
            given.counts.push_back(static_cast<std::uint16_t>(std::max(0.0, one)));
        }
    for (std::size_t p = 0; p < all_pixels; ++p)
        given.labels.push_back(p % 11 == 0 ? 0 : static_cast<std::int32_t>(1 + p % 2));
    return given;
}

/// Static labels: three in each bin, and some pixels in none.
std::shared_ptr<std::vector<std::int32_t>> static_labels(const Case<std::uint16_t>& given) {
    auto labels = std::make_shared<std::vector<std::int32_t>>();
    for (std::size_t p = 0; p < all_pixels; ++p)
        labels->push_back(p % 13 == 0 ? 0 : static_cast<std::int32_t>(3 * given.labels[p] + p / 3 % 3 + 1));
    return labels;
}

Result run(const Case<std::uint16_t>& given, const Estimate& estimate) {
    const auto problem = given.problem();
    problem->estimate = estimate;
    if (estimate.estimator == Estimator::two_level) problem->static_labels = static_labels(given);
    return run_host(host_variant("host.pairs"), *problem);
}

/// I(t, p) of the pixels that `takes` accepts.
using Takes = std::function<bool(std::size_t pixel)>;

/// g2 of these pixels at a delay by the definition of the estimator, in long double.
long double defined(const Case<std::uint16_t>& given, const Takes& takes, std::size_t delay,
                    Estimator estimator) {
    long double n = 0, above = 0, below = 0, before = 0, after = 0, ratios = 0, terms = 0, pairs = 0;
    for (std::size_t p = 0; p < all_pixels; ++p) n += takes(p) ? 1 : 0;
    for (std::size_t t = 0; t + delay < given.frames; ++t) {
        if (!given.uses(t) || !given.uses(t + delay)) continue;
        long double g = 0, s1 = 0, s2 = 0;
        for (std::size_t p = 0; p < all_pixels; ++p) {
            if (!takes(p)) continue;
            const long double a = given.counts[t * all_pixels + p],
                              b = given.counts[(t + delay) * all_pixels + p];
            g += a * b;
            s1 += a;
            s2 += b;
        }
        above += g;
        below += s1 * s2 / n;
        before += s1;
        after += s2;
        pairs += 1;
        if (s1 * s2 == 0) continue;
        ratios += n * g / (s1 * s2);
        terms += 1;
    }
    if (estimator == Estimator::ratio) return above / below;
    if (estimator == Estimator::mean_of_ratios) return ratios / terms;
    return (above / n / pairs) / ((before / n / pairs) * (after / n / pairs));
}

void expect_near(double found, long double expected, const std::string& where) {
    if (std::isnan(expected))
        EXPECT_TRUE(std::isnan(found)) << where << ": " << found;
    else
        EXPECT_NEAR(found, static_cast<double>(expected), 1e-11 * std::abs(static_cast<double>(expected)))
            << where;
}

TEST(Estimates, each_estimator_is_its_definition) {
    auto given = speckle(23);
    std::fill_n(given.counts.begin() + 4 * all_pixels, all_pixels, std::uint16_t{0});  // a dark frame
    for (const std::vector<std::size_t>& left_out : {std::vector<std::size_t>{}, {0, 9, 10}}) {
        given.left_out = left_out;
        for (const Estimator estimator :
             {Estimator::ratio, Estimator::mean_of_ratios, Estimator::symmetric}) {
            const std::vector<double> g2 = run(given, {estimator}).at("g2").values.to_doubles();
            for (std::int32_t label = 1; label <= 2; ++label)
                for (std::size_t delay = 0; delay < given.frames; ++delay)
                    expect_near(
                        g2[static_cast<std::size_t>(label - 1) * given.frames + delay],
                        defined(
                            given, [&](std::size_t p) { return given.labels[p] == label; }, delay, estimator),
                        std::string(name_of(estimator)) + " at delay " + std::to_string(delay));
        }
    }
}

TEST(Estimates, two_level_is_the_mean_of_the_symmetric_estimates_of_static_bins) {
    const auto given = speckle(15);
    const auto labels = *static_labels(given);
    const std::vector<double> g2 = run(given, {Estimator::two_level}).at("g2").values.to_doubles();
    for (std::int32_t label = 1; label <= 2; ++label)
        for (std::size_t delay = 0; delay < 15; ++delay) {
            long double mean = 0;
            for (std::int32_t part = 1; part <= 3; ++part)
                mean += defined(
                            given,
                            [&](std::size_t p) {
                                return given.labels[p] == label && labels[p] == 3 * label + part;
                            },
                            delay, Estimator::symmetric) /
                        3;
            expect_near(g2[static_cast<std::size_t>(label - 1) * 15 + delay], mean, "two-level");
        }
}

TEST(Estimates, the_mean_of_ratios_is_the_mean_along_the_diagonals_of_the_two_time_map) {
    auto given = speckle(20);
    given.two_time_bin = 2;
    given.left_out = {7};
    const Result result = run(given, {Estimator::mean_of_ratios});
    const std::vector<double> map = result.at("two_time").values.to_doubles(),
                              g2 = result.at("g2").values.to_doubles();
    for (std::size_t delay = 0; delay < 20; ++delay) {
        double sum = 0, terms = 0;
        for (std::size_t t = 0; t + delay < 20; ++t)
            if (!std::isnan(map[t * 20 + t + delay])) {
                sum += map[t * 20 + t + delay];
                ++terms;
            }
        expect_near(g2[20 + delay], sum / terms, "delay " + std::to_string(delay));
    }
}

TEST(Estimates, the_published_estimate_equals_the_reference_to_the_bit) {
    auto given = speckle(31);
    given.left_out = {3, 30};
    given.two_time_bin = 1;
    const Result found = run(given, {}),
                 expected = run_host(host_variant("host.reference"), *given.problem());
    for (const char* name : {"g2", "two_time"})
        EXPECT_TRUE(found.at(name).values.bytes().size() == expected.at(name).values.bytes().size() &&
                    std::ranges::equal(found.at(name).values.bytes(), expected.at(name).values.bytes()))
            << name;
}

/// Pixels of a bin in the order of rows.
std::vector<std::size_t> pixels_of(const Case<std::uint16_t>& given, std::int32_t label) {
    std::vector<std::size_t> pixels;
    for (std::size_t p = 0; p < all_pixels; ++p)
        if (given.labels[p] == label) pixels.push_back(p);
    return pixels;
}

TEST(Estimates, errors_over_pixels_are_those_of_groups_and_of_all_without_a_group) {
    const auto given = speckle(12);
    for (const Estimator estimator : {Estimator::ratio, Estimator::mean_of_ratios, Estimator::symmetric}) {
        const std::vector<double>
            pixels = run(given, {estimator, ErrorMethod::pixels}).at("g2_err").values.to_doubles(),
            jackknife = run(given, {estimator, ErrorMethod::jackknife}).at("g2_err").values.to_doubles();
        for (std::int32_t label = 1; label <= 2; ++label) {
            const std::vector<std::size_t> all = pixels_of(given, label);
            // A group for each 8 pixels.
            const std::size_t groups = all.size() / 8;
            ASSERT_GE(groups, 8U);
            ASSERT_LE(groups, 24U);
            for (std::size_t delay = 0; delay < 12; ++delay) {
                std::vector<long double> of_groups, without;
                for (std::size_t group = 0; group < groups; ++group) {
                    std::vector<bool> in(all_pixels, false);
                    long double n = 0;
                    for (std::size_t i = 0; i < all.size(); ++i)
                        if (i * groups / all.size() == group) {
                            in[all[i]] = true;
                            ++n;
                        }
                    const long double g2 = defined(
                        given, [&](std::size_t p) { return in[p]; }, delay, estimator);
                    of_groups.push_back((g2 - 1) * n / (n - 1));
                    without.push_back(defined(
                        given, [&](std::size_t p) { return given.labels[p] == label && !in[p]; }, delay,
                        estimator));
                }
                const auto squares = [&](const std::vector<long double>& values) {
                    long double mean = 0, sum = 0;
                    for (const long double value : values) mean += value / static_cast<long double>(groups);
                    for (const long double value : values) sum += (value - mean) * (value - mean);
                    return sum;
                };
                const auto k = static_cast<long double>(groups);
                const std::size_t at = static_cast<std::size_t>(label - 1) * 12 + delay;
                EXPECT_NEAR(pixels[at], static_cast<double>(std::sqrt(squares(of_groups) / k / (k - 1))),
                            1e-9 * pixels[at]);
                EXPECT_NEAR(jackknife[at], static_cast<double>(std::sqrt((k - 1) / k * squares(without))),
                            1e-8 * jackknife[at]);
            }
        }
    }
}

TEST(Estimates, the_error_of_blocks_is_what_drawing_blocks_at_random_gives) {
    std::vector<double> series;
    std::mt19937 random(3);
    double value = 0;
    for (int i = 0; i < 400; ++i) {
        value = 0.7 * value + static_cast<double>(random() % 1000) / 1000 - 0.5;
        series.push_back(value);
    }
    const std::size_t length = 25, blocks = series.size() / length;
    std::vector<double> means;
    for (int draw = 0; draw < 20000; ++draw) {
        double sum = 0;
        for (std::size_t block = 0; block < blocks; ++block) {
            const std::size_t first = random() % (series.size() - length + 1);
            for (std::size_t i = 0; i < length; ++i) sum += series[first + i];
        }
        means.push_back(sum / static_cast<double>(series.size()));
    }
    double mean = 0, squares = 0;
    for (const double one : means) mean += one / static_cast<double>(means.size());
    for (const double one : means) squares += (one - mean) * (one - mean) / static_cast<double>(means.size());
    EXPECT_NEAR(xpcs::bootstrap_error(series, length), std::sqrt(squares), 0.03 * std::sqrt(squares));
}

TEST(Estimates, blocks_follow_the_correlation_in_time) {
    std::mt19937 random(4);
    std::vector<double> independent, slow;
    double value = 0;
    for (int i = 0; i < 2000; ++i) {
        independent.push_back(static_cast<double>(random() % 1000));
        value = 0.95 * value + static_cast<double>(random() % 1000) - 500;
        slow.push_back(value);
    }
    EXPECT_EQ(xpcs::block_length(independent), 45U);  // the root of 2000
    EXPECT_GT(xpcs::block_length(slow), 80U);         // 4 x (1 + 2 x 0.95 / 0.05) = 156 for a long series
    EXPECT_LE(xpcs::block_length(slow), 500U);
    EXPECT_EQ(xpcs::block_length(std::vector<double>{1, 1, 1}), 1U);
    EXPECT_EQ(xpcs::block_length(std::vector<double>{}), 1U);
    EXPECT_TRUE(std::isnan(xpcs::bootstrap_error(std::vector<double>{1}, 1)));
}

TEST(Estimates, errors_that_cannot_be_known_are_nan) {
    Case<std::uint16_t> few{6, 2, 4, std::vector<std::uint16_t>(48, 3), std::vector<std::int32_t>(8, 1)};
    few.counts[5] = 4;
    for (const ErrorMethod errors : {ErrorMethod::pixels, ErrorMethod::jackknife}) {
        const auto problem = few.problem();
        problem->estimate.errors = errors;
        for (const double error :
             run_host(host_variant("host.pairs"), *problem).at("g2_err").values.to_doubles())
            EXPECT_TRUE(std::isnan(error)) << "8 pixels are too few for groups";
    }
    Case<std::uint16_t> dark{6, 4, 8, std::vector<std::uint16_t>(192, 0), std::vector<std::int32_t>(32, 1)};
    for (const ErrorMethod errors :
         {ErrorMethod::published, ErrorMethod::pixels, ErrorMethod::bootstrap, ErrorMethod::jackknife})
        for (const Estimator estimator :
             {Estimator::ratio, Estimator::mean_of_ratios, Estimator::symmetric}) {
            const auto problem = dark.problem();
            problem->estimate = {estimator, errors};
            const Result result = run_host(host_variant("host.pairs"), *problem);
            for (const char* name : {"g2", "g2_err"})
                for (const double value : result.at(name).values.to_doubles())
                    EXPECT_TRUE(std::isnan(value))
                        << name << " " << name_of(estimator) << " " << name_of(errors);
        }
}

TEST(Estimates, the_check_passes_every_estimate_and_fails_another_one) {
    auto given = speckle(40);
    given.left_out = {12};
    Progress progress;
    for (const Estimator estimator :
         {Estimator::ratio, Estimator::mean_of_ratios, Estimator::symmetric, Estimator::two_level})
        for (const ErrorMethod errors :
             {ErrorMethod::published, ErrorMethod::pixels, ErrorMethod::bootstrap, ErrorMethod::jackknife}) {
            SCOPED_TRACE(std::string(name_of(estimator)) + ", " + name_of(errors));
            const auto problem = given.problem();
            problem->estimate = {estimator, errors};
            if (estimator == Estimator::two_level) problem->static_labels = static_labels(given);
            ks::Run made;
            made.variant = host_variant("host.pairs").info;
            made.result = run_host(host_variant("host.pairs"), *problem);
            EXPECT_EQ(made.result.facts["estimator"], name_of(estimator));
            EXPECT_EQ(made.result.facts["errors"], name_of(errors));
            for (const CheckMode mode : {CheckMode::sample, CheckMode::full}) {
                EXPECT_NE(xpcs::check_correlation(*problem, made, mode, progress).state,
                          Verdict::State::fail);
                if (estimator == Estimator::two_level) continue;
                problem->estimate.estimator =
                    estimator == Estimator::ratio ? Estimator::mean_of_ratios : Estimator::ratio;
                EXPECT_EQ(xpcs::check_correlation(*problem, made, mode, progress).state,
                          Verdict::State::fail);
                problem->estimate = {
                    estimator, errors == ErrorMethod::pixels ? ErrorMethod::bootstrap : ErrorMethod::pixels};
                EXPECT_EQ(xpcs::check_correlation(*problem, made, mode, progress).state,
                          Verdict::State::fail);
                problem->estimate = {estimator, errors};
            }
        }
}

TEST(Estimates, a_variant_that_computes_another_estimate_gives_no_result) {
    const auto problem = speckle(5).problem();
    problem->estimate.estimator = Estimator::symmetric;
    EXPECT_THROW(run_host(host_variant("host.gram"), *problem), Error);
    EXPECT_THROW(run_host(host_variant("host.reference"), *problem), Error);
}

TEST(Estimates, pairs_that_do_not_fit_are_refused_with_what_they_need) {
    const auto problem = speckle(40).problem();
    Request request;
    Progress progress;
    std::vector<Timing> timings;
    HostContext context{request, progress, timings, 2, 10000};
    try {
        host_variant("host.pairs").launch(*problem, context);
        FAIL();
    } catch (const Error& error) {
        EXPECT_NE(std::string(error.what()).find("for all counts and the pairs of a bin on the host"),
                  std::string::npos)
            << error.what();
    }
}

TEST(Estimates, parts_in_time_are_the_curves_of_these_frames) {
    const auto given = speckle(33);
    std::vector<std::uint16_t> counts;
    const std::vector<std::size_t> pixels = pixels_of(given, 1);
    for (std::size_t t = 0; t < 33; ++t)
        for (const std::size_t p : pixels) counts.push_back(given.counts[t * all_pixels + p]);
    Progress progress;
    const xpcs::BinPairs pairs(
        xpcs::BinCounts<std::uint16_t>{counts.data(), 33, pixels.size(), pixels.size()}, 33, 60, 2, progress);
    const auto curves =
        xpcs::curves_of_parts(pairs, {Estimator::symmetric}, std::vector<bool>(33, true), 3, {2, progress});
    ASSERT_EQ(curves.size(), 3U);
    for (std::size_t part = 0; part < 3; ++part) {
        auto cut = given;
        cut.frames = 11;
        cut.counts.assign(given.counts.begin() + static_cast<std::ptrdiff_t>(part * 11 * all_pixels),
                          given.counts.begin() + static_cast<std::ptrdiff_t>((part + 1) * 11 * all_pixels));
        for (std::size_t delay = 0; delay < 11; ++delay)
            expect_near(
                curves[part].g2[delay],
                defined(
                    cut, [&](std::size_t p) { return given.labels[p] == 1; }, delay, Estimator::symmetric),
                "part");
    }
    EXPECT_THROW(xpcs::curves_of_parts(pairs, {}, std::vector<bool>(33, true), 34, {2, progress}), Error);
}

TEST(Estimates, parts_of_a_shared_run_give_the_same_bytes) {
    const auto given = speckle(70);
    for (const Estimate& estimate : {Estimate{Estimator::symmetric, ErrorMethod::bootstrap},
                                     Estimate{Estimator::two_level, ErrorMethod::pixels},
                                     Estimate{Estimator::ratio, ErrorMethod::jackknife}}) {
        const auto problem = given.problem();
        problem->estimate = estimate;
        if (estimate.estimator == Estimator::two_level) problem->static_labels = static_labels(given);
        const Result whole = run_host(host_variant("host.pairs"), *problem);
        const ShareUnits units = xpcs::units_of(*problem);
        ASSERT_GE(units.count, 2U);
        std::vector<PartResult> parts;
        for (std::size_t unit = 0; unit < units.count; ++unit) {
            const auto part = std::dynamic_pointer_cast<const xpcs::CorrelationProblem>(
                xpcs::part_of(problem, unit, unit + 1));
            parts.push_back({unit, unit + 1, run_host(host_variant("host.pairs"), *part)});
        }
        std::vector<Timing> timings;
        const Result joined = xpcs::joined_bins(*problem, std::move(parts), timings);
        for (const char* name : {"g2", "g2_err"})
            EXPECT_TRUE(std::ranges::equal(joined.at(name).values.bytes(), whole.at(name).values.bytes()))
                << name;
    }
}

}  // namespace
}  // namespace ks::tests::estimates
