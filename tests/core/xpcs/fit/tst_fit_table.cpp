// Fits of the curves of a result, as the window and the command line make them, and what follows from them.

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "core/io/files/temporary_folder.h"
#include "core/xpcs/diffusion.h"
#include "core/xpcs/fit_table.h"
#include "core/xpcs/g2_fit.h"
#include "tests/core/xpcs/oracle.h"

namespace fit_table_test {

using ks::Progress;
using ks::xpcs::BinFit;
using ks::xpcs::FitTable;
constexpr double nan = std::numeric_limits<double>::quiet_NaN();

/// A run of host.gram on generated speckle, with a fit by `single`.
struct Fitted {
    explicit Fitted(const std::string& leave_out = "3,20-24", std::int64_t stride = 1) {
        Progress progress;
        const ks::Analysis analysis = ks::xpcs::make_analyses().front();
        analysis.generate({{"kind", std::string("speckle")},
                           {"frames", std::int64_t{200}},
                           {"height", std::int64_t{81}},
                           {"width", std::int64_t{81}},
                           {"ring_width", 8.0}},
                          file, true, progress);
        run.request.analysis = "xpcs";
        run.request.inputs["frames"].name = file;
        run.request.inputs["partition"].name = file + "::/entry/qmask";
        run.request.parameters =
            ks::checked(analysis.info().parameters,
                        {{"fit", std::string("single")}, {"leave_out", leave_out}, {"stride", stride}});
        run.variant = host_variant("host.gram").info;
        const auto problem = ks::xpcs::load_problem(run.request, progress);
        run.result = run_host(host_variant("host.gram"), *problem);
        analysis.add_results(*problem, run, progress);
        pairs = problem->pairs();
    }

    ks::io::TemporaryFolder folder{"kernelscope-fit-table"};
    std::string file = (folder.path() / "frames.h5").string();
    ks::Run run;
    std::vector<std::size_t> pairs;
};

std::vector<ks::fit::Fit> fitted(const ks::Run& run, const ks::xpcs::CurvesToFit& curves) {
    Progress progress;
    return ks::xpcs::fit_curves(ks::fit::g2_model("single"), curves, ks::xpcs::kept_groups_of(run), progress);
}

TEST(FitTable, curves_of_a_result_are_fitted_as_by_the_run) {
    const Fitted made;
    const ks::xpcs::CurvesToFit curves = ks::xpcs::curves_of(made.run, ks::xpcs::kept_groups_of(made.run));
    EXPECT_EQ(curves.pairs, made.pairs);
    const FitTable again = ks::xpcs::fit_table(ks::fit::g2_model("single"), fitted(made.run, curves), false);
    const FitTable of_run = *ks::xpcs::fit_table(made.run);
    ASSERT_EQ(again.bins.size(), of_run.bins.size());
    std::size_t converged = 0;
    for (std::size_t bin = 0; bin < again.bins.size(); ++bin) {
        EXPECT_EQ(again.bins[bin].status, of_run.bins[bin].status);
        EXPECT_EQ(again.bins[bin].groups, of_run.bins[bin].groups);
        if (!of_run.bins[bin].converged) continue;
        ++converged;
        EXPECT_EQ(again.bins[bin].values, of_run.bins[bin].values);
        ASSERT_EQ(again.bins[bin].errors.size(), of_run.bins[bin].errors.size());
        for (std::size_t i = 0; i < again.bins[bin].errors.size(); ++i) {
            // A bin without groups has errors of NaN.
            const double one = again.bins[bin].errors[i], other = of_run.bins[bin].errors[i];
            EXPECT_TRUE(one == other || (std::isnan(one) && std::isnan(other))) << one << " " << other;
        }
        EXPECT_EQ(again.bins[bin].tau, of_run.bins[bin].tau);
    }
    EXPECT_GE(converged, 5U);
    EXPECT_EQ(ks::xpcs::fit_csv(again, {}), ks::xpcs::fit_csv(of_run, {}));
}

TEST(FitTable, pairs_of_a_result_are_those_of_its_series) {
    for (const std::string leave_out : {"none", "3,20-24,199", "auto"})
        for (const std::int64_t stride : {1, 3}) {
            const Fitted made(leave_out, stride);
            EXPECT_EQ(ks::xpcs::curves_of(made.run, {}).pairs, made.pairs) << leave_out << " " << stride;
        }
}

TEST(FitTable, groups_are_saved_and_read_back) {
    const Fitted made;
    Progress progress;
    const auto file = made.folder.path() / "run.h5";
    ks::xpcs::write_nxxpcs(made.run, file, false, progress);
    const auto before = ks::xpcs::kept_groups_of(made.run).bins,
               read = ks::xpcs::kept_groups_of(ks::xpcs::read_nxxpcs(file)).bins;
    ASSERT_EQ(before.size(), 7U);
    EXPECT_EQ(before.front().size(), 24U);
    EXPECT_EQ(read, before);
}

TEST(FitTable, errors_of_weights_are_given_only_where_they_are_asked_for) {
    const Fitted made;
    ks::Run without = made.run;
    std::erase_if(without.result.datasets, [](const ks::Dataset& one) { return one.name == "fit_group_g2"; });
    ks::xpcs::CurvesToFit curves = ks::xpcs::curves_of(without, {});
    EXPECT_TRUE(std::isnan(fitted(without, curves)[2].errors[2]));
    curves.errors = ks::xpcs::WithoutGroups::weights;
    const double weights = fitted(without, curves)[2].errors[2];
    const double pixels =
        fitted(made.run, ks::xpcs::curves_of(made.run, ks::xpcs::kept_groups_of(made.run)))[2].errors[2];
    EXPECT_GT(weights, 0);
    EXPECT_LT(weights, pixels);
}

TEST(FitTable, a_run_without_errors_is_fitted_with_those_of_its_groups) {
    Fitted made;
    made.run.variant.lacks = {"g2_err"};
    const auto groups = ks::xpcs::kept_groups_of(made.run);
    const ks::xpcs::CurvesToFit curves = ks::xpcs::curves_of(made.run, groups);
    const auto& of_bin = groups.bins[1];
    double mean = 0, squares = 0;
    for (const auto& one : of_bin) mean += one[5] / 24;
    for (const auto& one : of_bin) squares += std::pow(one[5] - mean, 2);
    EXPECT_NEAR(curves.g2_err[curves.delays + 5], std::sqrt(squares / 24 / 23), 1e-12);
}

TEST(FitTable, a_point_that_is_left_out_has_no_effect) {
    std::vector<double> g2(100), errors(100, 0.001);
    for (std::size_t delay = 0; delay < 100; ++delay) g2[delay] = 1 + 0.2 * std::exp(-0.1 * double(delay));
    g2[7] = 3;
    ks::xpcs::CurvesToFit curves{
        .bins = 1, .delays = 100, .g2 = g2, .g2_err = errors, .pairs = {}, .frame_time = {}};
    curves.pairs.assign(100, 50);
    Progress progress;
    const auto rate = [&] {
        return ks::xpcs::fit_curves(ks::fit::g2_model("single"), curves, {}, progress).front().values[2];
    };
    EXPECT_GT(std::abs(rate() - 0.05), 1e-3);
    curves.left_out.assign(100, 0);
    curves.left_out[7] = 1;
    EXPECT_NEAR(rate(), 0.05, 1e-8);
}

TEST(FitTable, pairs_are_those_of_frames_that_are_both_used) {
    const std::vector<std::size_t> out{0, 3, 4, 9, 40};
    const std::vector<std::size_t> found = ks::xpcs::pairs_by_delay(11, out);
    ASSERT_EQ(found.size(), 11U);
    for (std::size_t delay = 0; delay < 11; ++delay) {
        std::size_t expected = 0;
        for (std::size_t t = 0; t + delay < 11; ++t)
            if (std::ranges::find(out, t) == out.end() && std::ranges::find(out, t + delay) == out.end())
                ++expected;
        EXPECT_EQ(found[delay], expected) << delay;
    }
}

TEST(Diffusion, follows_from_rates_that_grow_as_q_squared) {
    FitTable table{.formula = "", .unit_of_t = "s", .parameters = {{"gamma", "1/s"}}, .has_rate = true};
    std::vector<double> q;
    for (int bin = 1; bin <= 8; ++bin) {
        q.push_back(0.001 * bin);
        const double gamma = 3e6 * q.back() * q.back();
        table.bins.push_back({.status = "converged",
                              .converged = true,
                              .values = {gamma},
                              .errors = {0.02 * gamma},
                              .tau = 1 / gamma,
                              .tau_error = 0.02 / gamma,
                              .groups = 24});
    }
    // Neither of these says anything.
    table.bins.push_back({.status = "did not converge", .converged = false, .values = {1e9}, .errors = {1}});
    q.push_back(0.01);
    table.bins.push_back({.status = "converged",
                          .converged = true,
                          .values = {1e9},
                          .errors = {1},
                          .tau = 1e-9,
                          .tau_error = 1});
    q.push_back(nan);
    const ks::xpcs::Dispersion found = ks::xpcs::dispersion(table, q);
    ASSERT_TRUE(found.tau && found.gamma && found.diffusion);
    EXPECT_NEAR(found.tau->exponent, -2, 1e-9);
    EXPECT_NEAR(found.gamma->exponent, 2, 1e-9);
    EXPECT_EQ(found.gamma->points, 8U);
    EXPECT_NEAR(found.diffusion->value, 3e6, 1e-3);
    // Eight rates of 2 % each.
    EXPECT_NEAR(found.diffusion->error, 3e6 * 0.02 / std::sqrt(8.0), 1);
    EXPECT_TRUE(found.per_second);
    const std::vector<bool> used{true, true, false, false, false, false, false, false, false, false};
    EXPECT_EQ(ks::xpcs::dispersion(table, q, used).gamma->points, 2U);
}

TEST(Diffusion, gives_the_radius_of_a_sphere_in_water) {
    // A sphere of 100 nm in water of 25 degrees: 2.4537 um^2/s.
    const ks::xpcs::WithError radius =
        ks::xpcs::hydrodynamic_radius({2.4537e-12, 2.4537e-14}, 298.15, 0.89e-3);
    EXPECT_NEAR(radius.value, 100e-9, 0.01e-9);
    EXPECT_NEAR(radius.error, 1e-9, 0.001e-9);
}

}  // namespace fit_table_test
