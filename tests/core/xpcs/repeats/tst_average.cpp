// The average of repeats against sums written out, and what is left out of it.

#include <cmath>
#include <cstdint>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "core/run/repeats/repeats.h"
#include "core/xpcs/repeats/average.h"
#include "core/xpcs/repeats/same_bins.h"
#include "tests/core/io/io_fixture.h"

namespace ks::tests::average {
namespace {

constexpr double nothing = std::numeric_limits<double>::quiet_NaN();

TEST(Average, is_weighted_by_the_errors_and_tells_the_scatter) {
    const std::vector<xpcs::RepeatedCurves> curves{{{9, 1.5}, {0.5, 0.1}, {true, true}},
                                                   {{9, 1.25}, {0.5, 0.2}, {true, true}},
                                                   {{9, 1.75}, {0.5, 0.4}, {true, true}}};
    const xpcs::AverageCurves average = xpcs::average_of(curves, 1, 2);
    const double w[] = {1 / 0.01, 1 / 0.04, 1 / 0.16}, sum = w[0] + w[1] + w[2];
    const double mean = (w[0] * 1.5 + w[1] * 1.25 + w[2] * 1.75) / sum;
    EXPECT_NEAR(average.g2[1], mean, 1e-15);
    EXPECT_NEAR(average.g2_err[1], std::sqrt(1 / sum), 1e-15);
    const double squares = w[0] * (1.5 - mean) * (1.5 - mean) + w[1] * (1.25 - mean) * (1.25 - mean) +
                           w[2] * (1.75 - mean) * (1.75 - mean);
    EXPECT_NEAR(average.scatter[1], std::sqrt(squares / sum / 2), 1e-15);
    ASSERT_TRUE(average.chi2);
    EXPECT_NEAR(*average.chi2, squares / 2, 1e-13) << "delay 0, where all are 9, does not count";
    EXPECT_EQ(average.g2[0], 9);
    EXPECT_EQ(average.scatter[0], 0);
    EXPECT_NEAR(average.g2_err[0], 0.5 / std::sqrt(3), 1e-15);
}

TEST(Average, a_point_without_known_errors_is_an_unweighted_mean_with_the_scatter_as_its_error) {
    // Errors of 0 and NaN, and too few pairs; a curve without a value does not count.
    const std::vector<xpcs::RepeatedCurves> curves{
        {{1, 1, 1, 1}, {0, 0.1, 0.1, 0.1}, {true, true, false, true}},
        {{2, 2, 2, nothing}, {0.1, nothing, 0.2, nothing}, {true, true, false, true}}};
    const xpcs::AverageCurves average = xpcs::average_of(curves, 1, 4);
    for (std::size_t i = 0; i < 3; ++i) {
        EXPECT_EQ(average.g2[i], 1.5);
        EXPECT_NEAR(average.scatter[i], 0.5, 1e-15);  // of 1 and 2: 0.7071 / root of 2
        EXPECT_NEAR(average.g2_err[i], 0.5, 1e-15);
    }
    EXPECT_EQ(average.g2[3], 1);
    EXPECT_NEAR(average.g2_err[3], 0.1, 1e-15);
    EXPECT_TRUE(std::isnan(average.scatter[3]));
    EXPECT_FALSE(average.chi2);
    const std::vector<xpcs::RepeatedCurves> empty{{{nothing}, {nothing}, {true}}};
    EXPECT_TRUE(std::isnan(xpcs::average_of(empty, 1, 1).g2[0]));
}

TEST(Average, chi2_is_the_mean_square_distance_from_the_median_without_delay_0) {
    const std::vector<xpcs::RepeatedCurves> curves{{{7, 1, 2}, {1, 0.5, 0.5}, {true, true, true}},
                                                   {{8, 2, 4}, {1, 0.5, 1}, {true, true, true}},
                                                   {{99, 5, 3}, {1, 0.5, 0.25}, {true, true, true}}};
    const std::vector<double> chi2 = xpcs::chi2_of(curves, 1, 3);
    // Medians 2 and 3.
    EXPECT_NEAR(chi2[0], (4.0 + 4.0) / 2, 1e-15);
    EXPECT_NEAR(chi2[1], (0.0 + 1.0) / 2, 1e-15);
    EXPECT_NEAR(chi2[2], (36.0 + 0.0) / 2, 1e-15);
}

constexpr std::size_t delays = 30;

/// A run of one bin and 60 frames whose g2 is 1 + beta exp(-0.1 delay) plus a wiggle of its own.
ks::Repeat repeat(const std::string& name, double beta, double phase) {
    ks::Repeat one{name, {}};
    std::vector<double> g2, error;
    std::vector<std::int32_t> delay;
    for (std::size_t i = 0; i < delays; ++i) {
        const auto x = static_cast<double>(i);
        g2.push_back(1 + beta * std::exp(-0.1 * x) + 0.001 * std::sin(phase + x));
        error.push_back(0.001);
        delay.push_back(static_cast<std::int32_t>(i));
    }
    ks::Run& run = one.run;
    run.request.analysis = "xpcs";
    run.result.datasets = {
        {"g2", "", "", DataKind::curves, Array::of<double>({1, delays}, g2), {"label", "delay"}, "g2_err"},
        {"g2_err", "", "", DataKind::curves, Array::of<double>({1, delays}, error), {"label", "delay"}},
        {"delay", "", "frames", DataKind::axis, Array::of<std::int32_t>({delays}, delay)},
        {"two_time", "", "", DataKind::image, Array::of<double>({1, 1}, {1}), {"", ""}},
        {"labels", "", "", DataKind::overlay, Array::of<std::int32_t>({2, 2}, {1, 1, 1, 0})}};
    run.result.facts = {{"frames", 60U}, {"frame_time", 0.5}, {"two_time_bin", 1}};
    run.wall_nanoseconds = 10;
    return one;
}

TEST(Average, outliers_and_repeats_that_differ_are_left_out_and_named) {
    Progress quiet;
    std::vector<ks::Repeat> all;
    for (int i = 0; i < 5; ++i) all.push_back(repeat("good_" + std::to_string(i), 0.2, i));
    all.push_back(repeat("drifted", 0.15, 0));
    all.push_back(repeat("slow", 0.2, 0));
    all.back().run.result.facts["frame_time"] = 1.0;
    all.push_back(repeat("large", 0.2, 0));
    all.back().run.result.datasets.back().values = Array::of<std::int32_t>({2, 3}, {1, 1, 1, 0, 0, 0});
    all.push_back(repeat("short", 0.2, 0));
    all.back().run.result.datasets[0].values = Array::of<double>({1, 2}, {1, 2});
    const ks::Run average = xpcs::average_of_repeats(all, quiet);
    ASSERT_EQ(average.result.warnings.size(), 4U);
    const std::string text = xpcs::repeats_text(average);
    EXPECT_NE(text.find("average of 5 of 9 repeats"), std::string::npos) << text;
    for (const std::string expected :
         {"drifted, chi2 per point",
          "slow, left out: its frame time is 1 s, but that of the first repeat is 0.5 s",
          "large, left out: its frames have 2 x 3 pixels, but those of the first repeat 2 x 2",
          "short, left out: it has 2 delays, but the first repeat has 30"})
        EXPECT_NE(text.find(expected), std::string::npos) << text;
    EXPECT_NE(text.find("left out: its g2 is an outlier"), std::string::npos) << text;
    const auto g2 = average.result.at("g2").values.as<double>();
    double chi2 = 0;
    for (std::size_t i = 1; i < delays; ++i)
        for (std::size_t k = 0; k < 5; ++k) {
            const double wiggle = std::sin(static_cast<double>(k + i));
            double mean = 0;
            for (std::size_t other = 0; other < 5; ++other)
                mean += std::sin(static_cast<double>(other + i)) / 5;
            chi2 += (wiggle - mean) * (wiggle - mean) / 4 / (delays - 1);
        }
    EXPECT_NEAR(average.result.facts.at("repeats_chi2").get<double>(), chi2, 1e-9);
    EXPECT_NE(text.find(fmt::format("scatter of the repeats: {:.2f} times their errors", std::sqrt(chi2))),
              std::string::npos)
        << text;
    for (std::size_t i = 0; i < delays; ++i) {
        double mean = 0;
        for (std::size_t k = 0; k < 5; ++k) mean += all[k].run.result.at("g2").values.as<double>()[i] / 5;
        EXPECT_NEAR(g2[i], mean, 1e-14);
        EXPECT_NEAR(average.result.at("g2_err").values.as<double>()[i], 0.001 / std::sqrt(5.0), 1e-15);
        EXPECT_GT(average.result.at("g2_scatter").values.as<double>()[i], 0);
    }
    EXPECT_EQ(average.result.find("two_time"), nullptr);
    EXPECT_FALSE(average.result.facts.contains("two_time_bin"));
    EXPECT_EQ(average.wall_nanoseconds, 60U) << "of all whose curves are kept";
    ASSERT_EQ(average.result.at("g2").errors, "g2_err");
}

// Bins of other pixels, or at another q, are no repeats; a mask may leave other pixels.
TEST(Average, repeats_with_other_bins_are_left_out_and_named) {
    Progress quiet;
    const auto with = [](const char* name, const std::vector<std::int32_t>& labels, double q,
                         const std::string& map = {}) {
        ks::Repeat one = repeat(name, 0.2, 0);
        one.run.result.datasets.back().values = Array::of<std::int32_t>({2, 2}, labels);
        one.run.result.datasets.push_back(
            {"q", "", "1/angstrom", DataKind::axis, Array::of<double>({1}, {q}), {"label"}});
        if (!map.empty()) one.run.result.facts[xpcs::bins_hash] = map;
        return one;
    };
    std::vector<ks::Repeat> all{
        with("first", {1, 1, 1, 0}, 0.02, "ab"), with("masked", {1, 0, 1, 1}, 0.02001, "ab"),
        with("elsewhere", {0, 0, 0, 1}, 0.02),   with("numbered", {2, 1, 1, 0}, 0.02),
        with("longer", {1, 1, 1, 0}, 0.2),       with("unknown", {1, 1, 1, 0}, nothing),
        with("mapped", {1, 1, 1, 0}, 0.02, "cd")};
    const std::string text = xpcs::repeats_text(xpcs::average_of_repeats(all, quiet));
    EXPECT_NE(text.find("average of 3 of 7 repeats"), std::string::npos) << text;
    for (const std::string expected :
         {"elsewhere, left out: its bin 1 has no pixel of that bin of the first repeat",
          "numbered, left out: a pixel of its bin 2 is in bin 1 of the first repeat",
          "longer, left out: its bin 1 is at q 0.2 1/angstrom, that of the first repeat at 0.02 1/angstrom",
          "mapped, left out: its map of bins is not that of the first repeat"})
        EXPECT_NE(text.find(expected), std::string::npos) << text;
    EXPECT_TRUE(xpcs::has_same_q(all[0].run.result, all[1].run.result));
    EXPECT_FALSE(xpcs::has_same_q(all[0].run.result, all[4].run.result));
    EXPECT_FALSE(xpcs::has_same_q(all[0].run.result, all[5].run.result));
    EXPECT_FALSE(xpcs::has_same_q(all[0].run.result, all[6].run.result));
}

TEST(Average, repeats_that_were_computed_otherwise_are_left_out_and_named) {
    Progress quiet;
    const auto with = [](const char* name, const std::map<std::string, std::string>& facts) {
        ks::Repeat one = repeat(name, 0.2, 0);
        one.run.result.facts["estimator"] = "ratio";
        for (const auto& [fact, value] : facts) one.run.result.facts[fact] = value;
        return one;
    };
    const std::string text = xpcs::repeats_text(xpcs::average_of_repeats(
        {with("first", {}), with("same", {}), with("turned", {{"estimator", "symmetric"}}),
         with("normalised", {{"normalised", "frame-sum"}})},
        quiet));
    EXPECT_NE(text.find("average of 2 of 4 repeats"), std::string::npos) << text;
    for (const std::string expected :
         {"turned, left out: its estimator of g2 is symmetric, that of the first repeat ratio",
          "normalised, left out: its normalisation is frame-sum, that of the first repeat none"})
        EXPECT_NE(text.find(expected), std::string::npos) << text;
}

// Whole and real numbers, and what seconds leave of them.
TEST(Average, delays_that_differ_by_rounding_are_the_same) {
    Progress quiet;
    ks::Repeat other = repeat("other", 0.2, 1);
    std::vector<double> delay;
    for (std::size_t i = 0; i < delays; ++i) delay.push_back(static_cast<double>(i) * (1 + 1e-15));
    other.run.result.datasets[2].values = Array::of<double>({delays}, delay);
    EXPECT_NE(xpcs::repeats_text(xpcs::average_of_repeats({repeat("one", 0.2, 0), other}, quiet))
                  .find("average of 2 of 2 repeats"),
              std::string::npos);
    delay[5] += 0.5;
    other.run.result.datasets[2].values = Array::of<double>({delays}, delay);
    const std::string why = input_error([&] {
        xpcs::average_of_repeats({repeat("one", 0.2, 0), other}, quiet);
    });
    EXPECT_NE(why.find("at least two repeats"), std::string::npos) << why;
}

TEST(Average, another_choice_of_repeats_needs_only_the_kept_curves) {
    Progress quiet;
    const std::vector<ks::Repeat> all{repeat("a", 0.2, 0), repeat("b", 0.2, 1), repeat("c", 0.2, 2),
                                      repeat("drifted", 0.15, 0)};
    const ks::Run before = xpcs::average_of_repeats(all, quiet);
    EXPECT_EQ(average_text(before), "average of 3 of 4 repeats");
    // b is left out by hand, the outlier is used nevertheless.
    const ks::Run now = xpcs::with_chosen_repeats(before, {{}, false, {}, true}, quiet);
    EXPECT_EQ(average_text(now), "average of 3 of 4 repeats");
    const auto curve = [&](std::size_t i) { return all[i].run.result.at("g2").values.as<double>(); };
    for (std::size_t i = 0; i < delays; ++i)
        EXPECT_NEAR(now.result.at("g2").values.as<double>()[i], (curve(0)[i] + curve(2)[i] + curve(3)[i]) / 3,
                    1e-14);
    ASSERT_EQ(now.result.warnings.size(), 1U);
    EXPECT_EQ(now.result.warnings[0], "b was left out of the average: it was left out by hand");
    const std::vector<RepeatRow> rows = repeats_of(now);
    ASSERT_EQ(rows.size(), 4U);
    EXPECT_EQ(rows[1].chosen, std::optional(false));
    EXPECT_TRUE(rows[3].left_out.empty());
    // Back to the outlier test, everything is as before.
    const ks::Run again = xpcs::with_chosen_repeats(now, std::vector<std::optional<bool>>(4), quiet);
    EXPECT_EQ(again.result.facts, before.result.facts);
    EXPECT_EQ(again.result.warnings, before.result.warnings);
    EXPECT_EQ(again.result.at("g2").values, before.result.at("g2").values);
    EXPECT_EQ(again.result.at("g2_err").values, before.result.at("g2_err").values);
    const auto third = xpcs::repeat_of(now, 2);
    ASSERT_TRUE(third);
    EXPECT_EQ(third->result.at("g2").values, all[2].run.result.at("g2").values);
    EXPECT_EQ(third->result.at("g2_err").values, all[2].run.result.at("g2_err").values);
    EXPECT_FALSE(xpcs::repeat_of(now, 4));
    EXPECT_FALSE(xpcs::repeat_of(all[0].run, 0));
    const std::string why = input_error([&] {
        xpcs::with_chosen_repeats(before, {true, false, false, {}}, quiet);
    });
    EXPECT_NE(why.find("at least two repeats, but 1 is left"), std::string::npos) << why;
}

TEST(Average, says_of_which_repeat_a_warning_is_unless_all_have_it) {
    Progress quiet;
    std::vector<ks::Repeat> all{repeat("a", 0.2, 0), repeat("b", 0.2, 1), repeat("c", 0.2, 2)};
    for (ks::Repeat& one : all) one.run.result.warnings = {"2 pixels are invalid"};
    all[1].run.result.warnings.push_back("frame 3 is dark");
    EXPECT_EQ(xpcs::average_of_repeats(all, quiet).result.warnings,
              (std::vector<std::string>{"2 pixels are invalid", "b: frame 3 is dark"}));
}

class SetOfRepeats : public testing::Test {
  protected:
    SetOfRepeats() {
        AnalysisFunctions functions;
        functions.average = xpcs::average_of_repeats;
        analysis_.emplace(functions);
    }
    /// @param stop_at the user stops the work while this repeat is computed
    ks::Run average(WhenCancelled mode, const std::string& stop_at = {},
                    const std::map<std::string, bool>& chosen = {}) {
        Progress progress([this](double, const std::string& stage) { stages_.push_back(stage); });
        return average_of_set(
            *analysis_, {{"a", "damaged", "b", "c"}, chosen},
            [&](const std::string& name, Progress& own) {
                if (name == "damaged") throw Error(ErrorKind::input, "it is not an HDF5 file", name);
                if (name == stop_at) progress.cancel();
                own.report(0.5, "correlate");
                return repeat(name, 0.2, name[0]).run;
            },
            mode, progress);
    }
    /// Of the error that a stopped set ends with.
    std::optional<ErrorKind> kind_of_stop(WhenCancelled mode, const std::string& stop_at,
                                          const std::map<std::string, bool>& chosen = {}) {
        try {
            average(mode, stop_at, chosen);
        } catch (const Error& error) {
            return error.kind();
        }
        return std::nullopt;
    }
    std::vector<std::string> stages_;
    std::optional<Analysis> analysis_;
};

TEST_F(SetOfRepeats, names_damaged_ones_in_the_order_of_the_set) {
    const std::vector<RepeatRow> rows = repeats_of(average(WhenCancelled::dropped));
    ASSERT_EQ(rows.size(), 4U);
    EXPECT_EQ(rows[1].name, "damaged");
    EXPECT_EQ(rows[1].left_out, "it is not an HDF5 file");
    EXPECT_EQ(rows[3].name, "c");
    EXPECT_EQ(used_repeats(rows), 3U);
    EXPECT_EQ(stages_.front(), "repeat 1 of 4");
}

TEST_F(SetOfRepeats, keeps_the_choice_of_the_user_under_the_names) {
    const ks::Run run =
        average(WhenCancelled::dropped, {}, {{"a", false}, {"c", true}, {"elsewhere", false}});
    const std::vector<RepeatRow> rows = repeats_of(run);
    EXPECT_EQ(rows.at(0).left_out, left_out_by_hand);
    EXPECT_EQ(rows.at(3).chosen, std::optional(true));
    EXPECT_EQ(average_text(run), "average of 2 of 4 repeats");
    EXPECT_EQ(set_of(run).chosen, (std::map<std::string, bool>{{"a", false}, {"c", true}}));
    EXPECT_FALSE(run.result.facts.contains(chosen_fact));
    Progress quiet;
    const ks::Run later = xpcs::with_chosen_repeats(average(WhenCancelled::dropped),
                                                    {false, std::nullopt, std::nullopt, true}, quiet);
    EXPECT_EQ(run.result.at("g2").values, later.result.at("g2").values);
    // Also of those that were not computed or cannot be used.
    const std::map<std::string, bool> out{{"c", false}, {"damaged", false}};
    EXPECT_EQ(set_of(average(WhenCancelled::averaged, "c", out)).chosen, out);
}

TEST_F(SetOfRepeats, keeps_what_was_computed_when_it_is_stopped) {
    const ks::Run stopped = average(WhenCancelled::averaged, "c");
    EXPECT_EQ(average_text(stopped), "average of 2 of 4 repeats");
    EXPECT_NE(repeats_of(stopped).at(3).left_out.find("stopped"), std::string::npos);
}

TEST_F(SetOfRepeats, is_dropped_when_it_is_stopped_too_early_or_nobody_keeps_it) {
    EXPECT_EQ(kind_of_stop(WhenCancelled::averaged, "b"), ErrorKind::cancelled);
    EXPECT_EQ(kind_of_stop(WhenCancelled::dropped, "c"), ErrorKind::cancelled);
    EXPECT_EQ(kind_of_stop(WhenCancelled::averaged, "c", {{"a", false}}), ErrorKind::cancelled)
        << "one that is left out by hand does not count";
}

TEST_F(SetOfRepeats, without_a_usable_one_gives_one_sentence) {
    Progress quiet;
    const std::string why = input_error([&] {
        average_of_set(
            *analysis_, {{"a", "b"}},
            [](const std::string& name, Progress&) -> ks::Run {
                throw Error(ErrorKind::input, "it is empty", name);
            },
            WhenCancelled::averaged, quiet);
    });
    EXPECT_NE(why.find("none of the 2 repeats can be used; a: it is empty"), std::string::npos) << why;
}

TEST(Average, of_fewer_than_two_is_refused) {
    Progress quiet;
    ks::Repeat other = repeat("other", 0.2, 0);
    other.run.result.facts.erase("frame_time");
    const std::string why = input_error([&] {
        xpcs::average_of_repeats({repeat("one", 0.2, 0), other}, quiet);
    });
    EXPECT_NE(why.find("at least two repeats, but 1 is left"), std::string::npos) << why;
}

}  // namespace
}  // namespace ks::tests::average
