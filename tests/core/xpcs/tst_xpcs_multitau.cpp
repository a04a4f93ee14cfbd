// host.multitau against its definition in plain loops, and what becomes of its delays.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <fstream>
#include <map>
#include <memory>
#include <random>
#include <sstream>
#include <string>
#include <vector>

#include "core/fit/g2_models.h"
#include "core/run/engine.h"
#include "core/xpcs/analysis.h"
#include "core/xpcs/correlation.h"
#include "core/xpcs/correlators/multitau.h"
#include "core/xpcs/fit_table.h"
#include "core/xpcs/g2_fit.h"
#include "tests/core/io/io_fixture.h"
#include "tests/core/run_on_host.h"
#include "tests/core/xpcs/oracle.h"

namespace ks::tests::xpcs_multitau {
namespace {

Result run_with(const xpcs::CorrelationProblem& problem, const ParameterSet& parameters,
                unsigned threads = 2) {
    Request request;
    request.parameters = parameters;
    Progress progress;
    std::vector<Timing> timings;
    HostContext context{request, progress, timings, threads, std::uint64_t{1} << 40};
    return host_variant("host.multitau").launch(problem, context);
}

ParameterSet with(std::int64_t channels) {
    return {{"channels", channels}};
}

template <class T>
Case<T> made(std::size_t frames, std::size_t pixels, std::int32_t bins, unsigned largest) {
    std::mt19937 random(17);
    Case<T> given{frames, 1, pixels, {}, {}};
    for (std::size_t i = 0; i < frames * pixels; ++i)
        given.counts.push_back(static_cast<T>(random() % largest));
    for (std::size_t p = 0; p < pixels; ++p)
        given.labels.push_back(static_cast<std::int32_t>(random() % static_cast<unsigned>(bins + 1)));
    return given;
}

struct Value {
    double g2, error;
};

/// g2 of sums of `together` frames, `steps` sums apart.
template <class T>
Value plain(const Case<T>& given, std::int32_t label, std::size_t together, std::size_t steps) {
    const std::size_t pixels = given.width, n = given.frames / together;
    long double sum_g = 0, sum_ss = 0, count = 0;
    for (const std::int32_t one : given.labels) count += one == label ? 1 : 0;
    std::vector<long double> terms;
    const auto sum_of = [&](std::size_t s, std::size_t p) {
        long double sum = 0;
        for (std::size_t t = s * together; t < (s + 1) * together; ++t) sum += given.counts[t * pixels + p];
        return sum;
    };
    const auto complete = [&](std::size_t s) {
        for (std::size_t t = s * together; t < (s + 1) * together; ++t)
            if (!given.uses(t)) return false;
        return true;
    };
    for (std::size_t s = 0; s + steps < n; ++s) {
        if (!complete(s) || !complete(s + steps)) continue;
        long double g = 0, s1 = 0, s2 = 0;
        for (std::size_t p = 0; p < pixels; ++p) {
            if (given.labels[p] != label) continue;
            const long double a = sum_of(s, p), b = sum_of(s + steps, p);
            g += a * b;
            s1 += a;
            s2 += b;
        }
        sum_g += g;
        sum_ss += s1 * s2 / count;
        if (s1 * s2 != 0) terms.push_back(count * g / (s1 * s2));
    }
    long double mean = 0, variance = 0;
    for (const long double c : terms) mean += c / static_cast<long double>(terms.size());
    for (const long double c : terms) variance += (c - mean) * (c - mean);
    return {sum_ss == 0 ? std::nan("") : static_cast<double>(sum_g / sum_ss),
            terms.empty()
                ? std::nan("")
                : static_cast<double>(std::sqrt(variance) / static_cast<long double>(terms.size()))};
}

template <class T>
void expect_definition(const Case<T>& given, std::size_t channels, std::int32_t bins) {
    for (const std::uint64_t keep : {std::uint64_t{0}, std::uint64_t{1} << 30}) {
        const Result result = run_with(*given.problem(keep), with(static_cast<std::int64_t>(channels)));
        const auto delays = result.at("delay").values.to_doubles(), g2 = result.at("g2").values.to_doubles(),
                   err = result.at("g2_err").values.to_doubles();
        std::size_t at = 0;
        for (std::size_t together = 1; together <= given.frames; together *= 2)
            for (std::size_t steps = together == 1 ? 0 : channels / 2;
                 steps < channels && (steps + 1) * together <= given.frames; ++steps, ++at) {
                ASSERT_LT(at, delays.size());
                EXPECT_EQ(delays[at], static_cast<double>(steps * together));
                for (std::int32_t label = 1; label <= bins; ++label) {
                    const Value expected = plain(given, label, together, steps);
                    const std::size_t i = static_cast<std::size_t>(label - 1) * delays.size() + at;
                    ASSERT_EQ(std::isnan(g2[i]), std::isnan(expected.g2)) << together << " " << steps;
                    ASSERT_EQ(std::isnan(err[i]), std::isnan(expected.error)) << together << " " << steps;
                    if (std::isnan(expected.g2)) continue;
                    EXPECT_NEAR(g2[i], expected.g2, 1e-12 * std::abs(expected.g2));
                    EXPECT_NEAR(err[i], expected.error, 1e-9 * expected.error + 1e-13);
                }
            }
        EXPECT_EQ(at, delays.size());
    }
}

TEST(XpcsMultitau, equals_the_definition_at_every_level) {
    expect_definition(made<std::uint8_t>(200, 30, 2, 5), 8, 2);
    expect_definition(made<std::uint16_t>(147, 37, 3, 60000), 4, 3);  // beyond floats at some level
    expect_definition(made<std::uint32_t>(1, 9, 1, 7), 16, 1);
    auto reals = made<float>(70, 20, 2, 9);
    for (float& count : reals.counts) count = count * 0.37F - 0.5F;
    expect_definition(reals, 8, 2);
}

TEST(XpcsMultitau, a_sum_with_a_frame_that_is_left_out_is_part_of_no_pair) {
    auto given = made<std::uint8_t>(130, 25, 2, 6);
    for (const auto& frames : {std::vector<std::size_t>{0}, {5, 6, 40, 41, 42, 129}, {63, 64}}) {
        given.left_out = frames;
        expect_definition(given, 8, 2);
    }
}

TEST(XpcsMultitau, equals_the_dense_curve_where_frames_are_not_averaged) {
    const auto given = made<std::uint8_t>(300, 40, 2, 6);
    const Result few = run_with(*given.problem(), with(16));
    const auto dense =
        run_host(host_variant("host.reference"), *given.problem()).at("g2").values.to_doubles();
    const auto g2 = few.at("g2").values.to_doubles(), delays = few.at("delay").values.to_doubles();
    for (std::size_t bin = 0; bin < 2; ++bin)
        for (std::size_t i = 0; i < 16; ++i) {
            EXPECT_EQ(delays[i], static_cast<double>(i));
            EXPECT_NEAR(g2[bin * delays.size() + i], dense[bin * 300 + i], 1e-14);
        }
    EXPECT_EQ(delays[16], 16);
    EXPECT_EQ(delays[17], 18);
    EXPECT_EQ(few.facts.at("averaging"), (nlohmann::json{{"levels", 6}, {"channels", 16}}));
}

TEST(XpcsMultitau, threads_and_large_bins_do_not_change_a_bit) {
    const auto given = made<float>(90, 9000, 1, 900);  // three groups of pixels
    const Result one = run_with(*given.problem(), {}, 1);
    for (const unsigned threads : {2U, 5U}) {
        const Result more = run_with(*given.problem(), {}, threads);
        EXPECT_TRUE(more.at("g2").values == one.at("g2").values);
        EXPECT_TRUE(more.at("g2_err").values == one.at("g2_err").values);
    }
}

TEST(XpcsMultitau, levels_and_the_longest_delay_end_the_axis) {
    const auto given = made<std::uint8_t>(300, 20, 1, 6);
    EXPECT_EQ(run_with(*given.problem(), {{"levels", std::int64_t{2}}, {"channels", std::int64_t{8}}})
                  .at("delay")
                  .values.to_doubles(),
              (std::vector<double>{0, 1, 2, 3, 4, 5, 6, 7, 8, 10, 12, 14}));
    const auto problem = given.problem();
    problem->limit_delays(11);
    EXPECT_EQ(run_with(*problem, with(8)).at("delay").values.to_doubles(),
              (std::vector<double>{0, 1, 2, 3, 4, 5, 6, 7, 8, 10}));
    EXPECT_THROW(run_with(*given.problem(), with(7)), Error);
}

class MultitauFiles : public IoTest {};

TEST_F(MultitauFiles, the_axis_is_that_of_the_table_the_file_the_check_and_the_fit) {
    const auto given = made<std::uint8_t>(300, 400, 2, 6);
    const auto problem = given.problem();
    problem->frame_time = 0.5;
    Request request;
    request.analysis = "xpcs";
    request.device = "host";
    request.parameters = {{"correlator", std::string("multitau")},
                          {"channels", std::int64_t{8}},
                          {"fit", std::string("single")}};
    Progress progress;
    ks::Run run = host_engine().run(request, problem, progress);
    EXPECT_EQ(run.variant.id, "host.multitau");
    const auto delays = run.result.at("delay").values.to_doubles(),
               seconds = run.result.at("delay_time").values.to_doubles();
    ASSERT_EQ(delays[9], 10);
    EXPECT_EQ(seconds[9], 5);
    for (const CheckMode mode : {CheckMode::full, CheckMode::sample}) {
        const Verdict verdict = xpcs::check_correlation(*problem, run, mode, progress);
        EXPECT_EQ(verdict.state, mode == CheckMode::full ? Verdict::State::pass : Verdict::State::sampled)
            << verdict.text;
        EXPECT_GT(verdict.samples, 2U * delays.size());
    }
    ks::Run wrong = run;
    for (Dataset& dataset : wrong.result.datasets)
        if (dataset.name == "g2") dataset.values.as<double>()[9] *= 1.0001;
    EXPECT_EQ(xpcs::check_correlation(*problem, wrong, CheckMode::full, progress).where,
              "g2, bin 1, delay 10");
    EXPECT_EQ(run.result.at("fit_g2").values.shape(), run.result.at("g2").values.shape());

    xpcs::write_csv(run, at("g2.csv"), false, progress);
    std::ifstream csv(at("g2.csv"));
    std::string line;
    for (std::size_t i = 0; i < 11; ++i) std::getline(csv, line);
    EXPECT_TRUE(line.starts_with("1,10,")) << line;
    xpcs::write_nxxpcs(run, at("run.h5"), false, progress);
    const ks::Run back = xpcs::read_nxxpcs(at("run.h5"));
    EXPECT_EQ(back.result.at("delay").values.to_doubles(), delays);
    EXPECT_TRUE(back.result.at("g2").values == run.result.at("g2").values);
    EXPECT_EQ(back.result.facts.at("averaging"), run.result.facts.at("averaging"));
    EXPECT_NE(xpcs::summary_of(back).find("multi-tau: "), std::string::npos);
    // The fit of a file that is read back has the same points.
    const xpcs::CurvesToFit curves = xpcs::curves_of(back, xpcs::kept_groups_of(back));
    for (std::size_t i = 0; i < delays.size(); ++i) EXPECT_EQ(curves.time(i), 0.5 * delays[i]);
    const auto fits = xpcs::fit_curves(fit::g2_model("single"), curves, xpcs::kept_groups_of(back), progress);
    const auto again = xpcs::fit_table(fit::g2_model("single"), fits, true).bins[0].values;
    const auto values = back.result.at("fit_values").values.to_doubles();
    ASSERT_EQ(again.size() * 2, values.size());
    for (std::size_t i = 0; i < again.size(); ++i)
        EXPECT_TRUE(again[i] == values[i] || (std::isnan(again[i]) && std::isnan(values[i]))) << again[i];
}

TEST_F(MultitauFiles, averaging_that_a_file_could_not_have_is_refused) {
    Result result;
    EXPECT_FALSE(xpcs::MultiTau::of(result));
    for (const char* wrong : {R"({})", R"({"levels": 0, "channels": 8})", R"({"levels": 41, "channels": 8})",
                              R"({"levels": 3, "channels": 7})", R"({"levels": -3, "channels": 8})",
                              R"({"levels": "3", "channels": 8})", R"([3, 8])"}) {
        result.facts["averaging"] = nlohmann::json::parse(wrong);
        EXPECT_THROW(xpcs::MultiTau::of(result), Error) << wrong;
    }
}

TEST(XpcsMultitau, pairs_are_counted_in_sums_of_frames_that_are_complete) {
    const xpcs::MultiTau tau{3, 4};
    const std::vector<std::size_t> left_out{3, 20, 21, 40};
    const std::size_t frames = 43;
    const auto points = tau.points(frames, frames);
    const auto pairs = tau.pairs(points, frames, left_out);
    ASSERT_EQ(points.size(), 8U);
    for (std::size_t i = 0; i < points.size(); ++i) {
        const std::size_t together = i < 4 ? 1 : i < 6 ? 2 : 4, steps = i < 4 ? i : 2 + i % 2;
        std::size_t expected = 0;
        for (std::size_t first = 0; first + (steps + 1) * together <= frames; first += together) {
            bool complete = true;
            for (const std::size_t frame : left_out)
                for (const std::size_t begin : {first, first + steps * together})
                    if (frame >= begin && frame < begin + together) complete = false;
            expected += complete ? 1 : 0;
        }
        EXPECT_EQ(points[i].delay(), together * steps);
        EXPECT_EQ(pairs[i], expected) << i;
    }
}

TEST(XpcsMultitau, groups_of_pixels_have_the_delays_and_sums_of_the_curve) {
    const auto given = made<std::uint8_t>(200, 300, 1, 6);
    auto divided = given;  // groups of the pixels of the bin, in their order
    const auto n = static_cast<std::size_t>(std::ranges::count(given.labels, 1));
    const std::size_t groups = std::min<std::size_t>(24, n / 8);
    for (std::size_t p = 0, i = 0; p < 300; ++p)
        if (given.labels[p] == 1) divided.labels[p] = static_cast<std::int32_t>(1 + i++ * groups / n);
    Progress progress;
    const xpcs::MultiTau tau{4, 8};
    const auto found = xpcs::group_curves(*given.problem(), tau, std::uint64_t{1} << 40, progress);
    ASSERT_EQ(found.bins.size(), 1U);
    ASSERT_EQ(found.bins[0].size(), groups);
    for (std::size_t group = 0; group < groups; ++group) {
        const auto label = static_cast<std::int32_t>(group + 1);
        const auto pixels = static_cast<double>(std::ranges::count(divided.labels, label));
        ASSERT_EQ(found.bins[0][group].size(), 20U);
        for (const std::size_t i : {std::size_t{1}, std::size_t{9}, std::size_t{19}}) {
            const std::size_t level = i < 8 ? 0 : 1 + (i - 8) / 4, steps = i < 8 ? i : 4 + (i - 8) % 4;
            const double g2 = plain(divided, label, std::size_t{1} << level, steps).g2;
            EXPECT_NEAR(found.bins[0][group][i], 1 + (g2 - 1) * pixels / (pixels - 1), 1e-11);
        }
    }
}

}  // namespace
}  // namespace ks::tests::xpcs_multitau
