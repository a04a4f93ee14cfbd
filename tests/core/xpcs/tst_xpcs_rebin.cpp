// Rebinning of curves over ranges of delays, against plain loops over the dense curve.

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <fstream>
#include <memory>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "core/fit/g2_models.h"
#include "core/run/engine.h"
#include "core/xpcs/correlators/rebin.h"
#include "core/xpcs/g2_fit.h"
#include "core/xpcs/repeats/average.h"
#include "tests/core/io/io_fixture.h"
#include "tests/core/run_on_host.h"
#include "tests/core/xpcs/oracle.h"

namespace ks::tests::xpcs_rebin {
namespace {

Case<std::uint8_t> made(std::vector<std::size_t> left_out = {}) {
    std::mt19937 random(5);
    Case<std::uint8_t> given{150, 12, 20, {}, {}};
    for (std::size_t i = 0; i < 150 * 240; ++i)
        given.counts.push_back(static_cast<std::uint8_t>(1 + random() % 7));
    for (std::size_t p = 0; p < 240; ++p) given.labels.push_back(static_cast<std::int32_t>(random() % 3));
    given.left_out = std::move(left_out);
    return given;
}

TEST(XpcsRebin, points_are_evenly_spaced_on_a_logarithmic_axis) {
    const auto begins = [](std::size_t per_decade, std::size_t delays) {
        std::vector<std::size_t> all;
        for (const auto& point : xpcs::Rebinning{per_decade, delays}.points()) all.push_back(point.begin);
        return all;
    };
    EXPECT_EQ(begins(1, 2000), (std::vector<std::size_t>{0, 1, 10, 100, 1000}));
    // 10^(1/2) = 3.16, 10^(3/2) = 31.6
    EXPECT_EQ(begins(2, 100), (std::vector<std::size_t>{0, 1, 4, 10, 32}));
    // 10^(1/4) = 1.78, 3.16, 5.62, 10, 17.8
    EXPECT_EQ(begins(4, 20), (std::vector<std::size_t>{0, 1, 2, 4, 6, 10, 18}));
    EXPECT_EQ(begins(5, 1), (std::vector<std::size_t>{0}));
    EXPECT_EQ(begins(1000, 30).size(), 30U);
    for (const std::size_t per_decade : {1, 3, 8, 20}) {
        const auto points = xpcs::Rebinning{per_decade, 1234}.points();
        EXPECT_EQ(points.back().end, 1234U);
        for (std::size_t i = 1; i < points.size(); ++i) EXPECT_EQ(points[i].begin, points[i - 1].end);
    }
}

/// The mean of values from one delay up to another, weighted by the pairs of used frames.
double plain_mean(const Case<std::uint8_t>& given, const double* values, std::size_t begin, std::size_t end) {
    long double sum = 0, all = 0;
    for (std::size_t delay = begin; delay < end; ++delay) {
        std::size_t pairs = 0;
        for (std::size_t t = 0; t + delay < given.frames; ++t)
            pairs += given.uses(t) && given.uses(t + delay) ? 1 : 0;
        if (pairs == 0 || std::isnan(values[delay])) continue;
        sum += static_cast<long double>(pairs) * values[delay];
        all += static_cast<long double>(pairs);
    }
    return all > 0 ? static_cast<double>(sum / all) : std::nan("");
}

TEST(XpcsRebin, values_errors_and_delays_are_means_weighted_by_pairs) {
    for (const auto& left_out : {std::vector<std::size_t>{}, {0, 3, 77, 78, 149}}) {
        const auto given = made(left_out);
        const Expected dense = direct(given);
        std::vector<double> delays(150);
        for (std::size_t i = 0; i < 150; ++i) delays[i] = static_cast<double>(i);
        for (const char* id : {"host.reference", "host.sparse", "host.fft"}) {
            const auto problem = given.problem();
            problem->rebin = 2;
            problem->frame_time = 0.25;
            const Result result = run_host(host_variant(id), *problem);
            const std::vector<std::size_t> edges{0, 1, 4, 10, 32, 100, 150};
            const auto axis = result.at("delay").values.to_doubles(),
                       seconds = result.at("delay_time").values.to_doubles(),
                       g2 = result.at("g2").values.to_doubles(),
                       err = result.at("g2_err").values.to_doubles();
            ASSERT_EQ(axis.size(), 6U);
            for (std::size_t i = 0; i < 6; ++i) {
                EXPECT_NEAR(axis[i], plain_mean(given, delays.data(), edges[i], edges[i + 1]), 1e-12 * 150);
                EXPECT_DOUBLE_EQ(seconds[i], 0.25 * axis[i]);
                for (std::size_t bin = 0; bin < 2; ++bin) {
                    const double* const of_bin = dense.g2.data() + bin * 150;
                    EXPECT_NEAR(g2[bin * 6 + i], plain_mean(given, of_bin, edges[i], edges[i + 1]), 1e-11);
                    const double error =
                        plain_mean(given, dense.g2_err.data() + bin * 150, edges[i], edges[i + 1]);
                    if (host_variant(id).info.computes("g2_err")) {
                        EXPECT_NEAR(err[bin * 6 + i], error, 1e-9 * error);
                    } else {
                        EXPECT_TRUE(std::isnan(err[bin * 6 + i]));
                    }
                }
            }
        }
    }
}

TEST(XpcsRebin, undefined_values_are_left_out_of_a_mean) {
    const double nan = std::nan("");
    const xpcs::Rebinning one{1, 12};
    std::vector<double> values(12, 2.0);
    values[3] = nan;
    values[4] = 5;
    const std::vector<std::size_t> pairs{12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1};
    const std::vector<double> means = one.means(values, pairs);
    ASSERT_EQ(means.size(), 3U);
    EXPECT_DOUBLE_EQ(means[1], 2 + 3.0 * 8 / (11 + 10 + 8 + 7 + 6 + 5 + 4 + 3));
    values.assign(12, nan);
    EXPECT_TRUE(std::isnan(one.means(values, pairs)[1]));
}

TEST(XpcsRebin, a_rebinning_that_a_file_could_not_have_is_refused) {
    Result result;
    EXPECT_FALSE(xpcs::Rebinning::of(result));
    for (const char* wrong :
         {R"({})", R"({"points_per_decade": 0, "delays": 8})", R"({"points_per_decade": 2000, "delays": 8})",
          R"({"points_per_decade": 5})", R"({"points_per_decade": "5", "delays": 8})", R"(5)"}) {
        result.facts["rebin"] = nlohmann::json::parse(wrong);
        EXPECT_THROW(xpcs::Rebinning::of(result), Error) << wrong;
    }
}

ks::Run run_of(const std::shared_ptr<const Problem>& problem, const ParameterSet& parameters) {
    Request request;
    request.analysis = "xpcs";
    request.device = "host";
    request.parameters = parameters;
    Progress progress;
    return host_engine().run(request, problem, progress);
}

TEST(XpcsRebin, repeats_of_which_different_frames_are_left_out_have_the_same_points) {
    const auto repeat = [](const std::string& name, const std::vector<std::size_t>& left_out,
                           std::int64_t per_decade) {
        const std::shared_ptr<xpcs::CorrelationProblem> problem = made(left_out).problem();
        problem->rebin = static_cast<std::size_t>(per_decade);
        return ks::Repeat{name, run_of(problem, {{"rebin", per_decade}})};
    };
    const ks::Repeat all = repeat("all", {}, 2), fewer = repeat("fewer", {40, 41, 42, 99}, 2),
                     others = repeat("others", {}, 3);
    ASSERT_NE(all.run.result.at("delay").values.to_doubles(),
              fewer.run.result.at("delay").values.to_doubles());
    Progress progress;
    const ks::Run average = xpcs::average_of_repeats({all, fewer, others}, progress);
    const std::string text = xpcs::repeats_text(average);
    EXPECT_NE(text.find("average of 2 of 3 repeats"), std::string::npos) << text;
    EXPECT_NE(text.find("others, left out"), std::string::npos) << text;
    EXPECT_EQ(average.result.at("g2").values.shape(), all.run.result.at("g2").values.shape());
}

class RebinFiles : public IoTest {};

TEST_F(RebinFiles, the_points_are_those_of_the_file_the_check_and_the_fit) {
    const std::shared_ptr<xpcs::CorrelationProblem> problem = made({5, 6}).problem(std::uint64_t{1} << 30);
    problem->rebin = 8;
    Progress progress;
    ks::Run run = run_of(
        problem,
        {{"rebin", std::int64_t{8}}, {"fit", std::string("single")}, {"leave_out", std::string("5,6")}});
    const auto delays = run.result.at("delay").values.to_doubles();
    EXPECT_LT(delays.size(), 20U);
    EXPECT_EQ(run.result.at("fit_g2").values.shape(), run.result.at("g2").values.shape());
    for (const CheckMode mode : {CheckMode::full, CheckMode::sample}) {
        const Verdict verdict = xpcs::check_correlation(*problem, run, mode, progress);
        EXPECT_EQ(verdict.state, mode == CheckMode::full ? Verdict::State::pass : Verdict::State::sampled)
            << verdict.text;
        EXPECT_GT(verdict.samples, 20U);
    }
    ks::Run wrong = run;
    for (Dataset& dataset : wrong.result.datasets)
        if (dataset.name == "g2") dataset.values.as<double>()[12] *= 1.001;
    EXPECT_EQ(xpcs::check_correlation(*problem, wrong, CheckMode::full, progress).state,
              Verdict::State::fail);
    wrong = run;
    for (Dataset& dataset : wrong.result.datasets)
        if (dataset.name == "delay") dataset.values.as<double>()[12] *= 1.001;
    EXPECT_EQ(xpcs::check_correlation(*problem, wrong, CheckMode::full, progress).state,
              Verdict::State::fail);

    xpcs::write_nxxpcs(run, at("run.h5"), false, progress);
    const ks::Run back = xpcs::read_nxxpcs(at("run.h5"));
    EXPECT_EQ(back.result.at("delay").values.to_doubles(), delays);
    EXPECT_TRUE(back.result.at("g2").values == run.result.at("g2").values);
    EXPECT_NE(xpcs::summary_of(back).find("8 per decade"), std::string::npos) << xpcs::summary_of(back);
    const xpcs::CurvesToFit curves = xpcs::curves_of(back, xpcs::kept_groups_of(back));
    for (std::size_t i = 0; i < delays.size(); ++i) EXPECT_EQ(curves.time(i), delays[i]);
    EXPECT_GT(curves.pairs.back(), 10U);
    xpcs::write_csv(back, at("g2.csv"), false, progress);
    std::ifstream csv(at("g2.csv"));
    std::size_t rows = 0;
    for (std::string line; std::getline(csv, line); ++rows) {
        const std::size_t begin = line.find(',') + 1;
        if (rows == 0 || rows > delays.size()) continue;
        EXPECT_EQ(std::stod(line.substr(begin, line.find(',', begin) - begin)), delays[rows - 1]);
    }
    EXPECT_EQ(rows, 1 + 2 * delays.size());
}

TEST(XpcsRebin, multitau_has_delays_of_its_own) {
    EXPECT_NE(why_not(host_variant("host.multitau").info, {{"rebin", std::int64_t{8}}}, true), "");
    EXPECT_EQ(why_not(host_variant("host.multitau").info, {{"rebin", ParameterValue()}}, true), "");
}

}  // namespace
}  // namespace ks::tests::xpcs_rebin
