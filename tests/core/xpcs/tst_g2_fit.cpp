// Fits of g2 per bin: which points are fitted, what each bin reports, where the numbers are kept.

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <limits>
#include <memory>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "core/fit/least_squares.h"
#include "core/io/files/temporary_folder.h"
#include "core/io/hdf5/hdf5_read.h"
#include "core/io/open_frames.h"
#include "core/record/saved_run.h"
#include "core/run/parameter_spec.h"
#include "core/xpcs/fit_table.h"
#include "core/xpcs/g2_fit.h"
#include "core/xpcs/generator.h"
#include "tests/core/xpcs/oracle.h"

namespace g2_fit_test {

using ks::ParameterSet;
using ks::Progress;
using ks::xpcs::CurvesToFit;
using ks::xpcs::GroupCurves;
constexpr double nan = std::numeric_limits<double>::quiet_NaN();

std::string refusal(const ParameterSet& parameters) {
    try {
        ks::xpcs::fit_model(parameters);
    } catch (const ks::Error& error) {
        return error.message();
    }
    return "accepted";
}
ParameterSet asked(const std::string& fit, const std::string& start = "none",
                   const std::string& fixed = "none") {
    return {{"fit", fit}, {"fit_start", start}, {"fit_fixed", fixed}};
}

TEST(G2Fit, a_request_without_a_model_or_from_before_there_were_fits_has_none) {
    EXPECT_FALSE(ks::xpcs::fit_model(asked("none")).has_value());
    EXPECT_FALSE(ks::xpcs::fit_model({}).has_value());
}

TEST(G2Fit, parameters_that_do_not_exist_are_refused) {
    EXPECT_EQ(refusal(asked("single", "zeta=1")),
              "the model baseline + beta exp(-2 gamma t) has no parameter zeta");
    EXPECT_EQ(refusal(asked("a+b*t", "none", "c=1")), "the model a+b*t has no parameter c");
    EXPECT_EQ(refusal(asked("single", "gamma")),
              "expected NAME=VALUE,... such as gamma=10,baseline=1, found 'gamma'");
    EXPECT_EQ(refusal(asked("single", "gamma=x")),
              "expected NAME=VALUE,... such as gamma=10,baseline=1, found 'gamma=x'");
    EXPECT_EQ(refusal(asked("single", "gamma=-1")), "expected gamma of at least 0, found -1");
    EXPECT_EQ(refusal(asked("single", "gamma=1,gamma=2")), "gamma is given twice");
    EXPECT_EQ(refusal(asked("single", "gamma=1", "gamma=2")),
              "gamma cannot have both a start value and a fixed value");
    EXPECT_EQ(refusal(asked("single", "gamma=1", "baseline=1")), "accepted");
}

/// One bin with g2 = 1 + 0.2 exp(-2 0.05 delay), and a wrong value at delay 0.
struct OneBin {
    std::vector<double> g2, errors;
    CurvesToFit curves;

    explicit OneBin(std::size_t delays = 100) : g2(delays), errors(delays, 0.001) {
        for (std::size_t delay = 0; delay < delays; ++delay)
            g2[delay] = 1 + 0.2 * std::exp(-0.1 * double(delay));
        g2[0] = 7;
        curves.bins = 1;
        curves.delays = delays;
        for (std::size_t delay = 0; delay < delays; ++delay) curves.pairs.push_back(delays - delay);
    }
    ks::fit::Fit fitted(const std::string& model = "single") {
        curves.g2 = g2;
        curves.g2_err = errors;
        Progress progress;
        return ks::xpcs::fit_curves(*ks::xpcs::fit_model(asked(model)), curves, GroupCurves(), progress)
            .front();
    }
};

TEST(G2Fit, delay_0_and_delays_of_few_pairs_are_not_fitted) {
    OneBin bin;
    bin.g2[95] = 9;  // 5 pairs
    const ks::fit::Fit fit = bin.fitted();
    ASSERT_EQ(fit.status.text(), "converged");
    EXPECT_EQ(fit.points, 90U);
    EXPECT_EQ(fit.left_out, 10U);
    EXPECT_NEAR(fit.values[2], 0.05, 1e-6);
}

TEST(G2Fit, rates_are_per_second_if_the_frame_time_is_known) {
    OneBin bin;
    bin.curves.frame_time = 0.002;
    EXPECT_NEAR(bin.fitted().values[2], 25, 1e-3);
}

TEST(G2Fit, bins_that_cannot_be_fitted_say_why) {
    OneBin few(12);
    EXPECT_EQ(few.fitted().status.text(), "too few points: 2 for 3 parameters");
    OneBin no_errors;
    no_errors.errors.assign(100, nan);
    EXPECT_EQ(no_errors.fitted().status.text(), "too few points: 0 for 3 parameters");
    OneBin no_values;
    no_values.g2.assign(100, nan);
    EXPECT_EQ(no_values.fitted().status.text(), "too few points: 0 for 3 parameters");
    OneBin no_time;
    no_time.curves.frame_time = 0;
    EXPECT_EQ(no_time.fitted().status.text(), "too few points: 0 for 3 parameters");
    OneBin flat;
    flat.g2.assign(100, 1.0);
    EXPECT_NE(flat.fitted().status.text(), "converged");
}

TEST(G2Fit, pixels_are_divided_into_groups_of_equal_size) {
    EXPECT_EQ(ks::xpcs::groups_of(0), 0U);
    EXPECT_EQ(ks::xpcs::groups_of(15), 0U);
    EXPECT_EQ(ks::xpcs::groups_of(16), 8U);
    EXPECT_EQ(ks::xpcs::groups_of(79), 9U);
    EXPECT_EQ(ks::xpcs::groups_of(100000), 24U);
}

TEST(G2Fit, curves_of_groups_are_those_of_bins_with_their_pixels) {
    Case<std::uint8_t> given{.frames = 12, .height = 16, .width = 10, .counts = {}, .labels = {}};
    for (std::size_t i = 0; i < 12 * 160; ++i)
        given.counts.push_back(static_cast<std::uint8_t>(1 + i * 2654435761U % 97 % 13));
    for (std::size_t i = 0; i < 160; ++i) given.labels.push_back(i < 4 ? 0 : i < 90 ? 2 : 1);
    Case<std::uint8_t> divided = given;
    // Bin 1 has pixels 90 to 159, in 8 groups, bin 2 pixels 4 to 89, in 10.
    for (std::size_t i = 0; i < 160; ++i)
        divided.labels[i] = i < 4    ? 0
                            : i < 90 ? static_cast<std::int32_t>(9 + (i - 4) * 10 / 86)
                                     : static_cast<std::int32_t>(1 + (i - 90) * 8 / 70);
    const Expected expected = direct(divided);
    for (const std::uint64_t memory : {std::uint64_t{1} << 40, std::uint64_t{68} << 20}) {
        Progress progress;
        const GroupCurves found = ks::xpcs::group_curves(*given.problem(), {}, memory, progress);
        ASSERT_EQ(found.bins.size(), 2U);
        ASSERT_EQ(found.bins[0].size(), 8U);
        ASSERT_EQ(found.bins[1].size(), 10U);
        for (std::size_t bin = 0; bin < 2; ++bin)
            for (std::size_t group = 0; group < found.bins[bin].size(); ++group)
                for (std::size_t delay = 0; delay < 12; ++delay) {
                    const auto label = static_cast<std::int32_t>(8 * bin + group + 1);
                    const auto n = static_cast<double>(std::ranges::count(divided.labels, label));
                    const double g2 = expected.g2[(8 * bin + group) * 12 + delay];
                    EXPECT_NEAR(found.bins[bin][group][delay], 1 + (g2 - 1) * n / (n - 1), 1e-5);
                }
    }
    Progress progress;
    const GroupCurves none = ks::xpcs::group_curves(*given.problem(), {}, 1000, progress);
    EXPECT_EQ(none.too_large, 2U);
    EXPECT_TRUE(none.bins[0].empty());
}

/// A run of host.gram on a generated file, with a fit.
class Generated {
  public:
    Generated(ParameterSet generator, const std::string& fit) {
        Progress progress;
        const ks::Analysis analysis = ks::xpcs::make_analyses().front();
        analysis.generate(generator, file(), true, progress);
        run.request.analysis = "xpcs";
        run.request.inputs["frames"].name = file();
        run.request.inputs["partition"].name = file() + "::/entry/qmask";
        run.request.parameters = ks::checked(analysis.info().parameters, {{"fit", fit}});
        run.variant = host_variant("host.gram").info;
        problem = ks::xpcs::load_problem(run.request, progress);
        run.result = run_host(host_variant("host.gram"), *problem);
        analysis.add_results(*problem, run, progress);
    }
    std::string file() const { return (folder_.path() / "frames.h5").string(); }
    std::string in_folder(const std::string& name) const { return (folder_.path() / name).string(); }
    std::vector<double> column(const std::string& dataset, std::size_t at, std::size_t of) const {
        const std::vector<double> all = run.result.at(dataset).values.to_doubles();
        std::vector<double> values;
        for (std::size_t i = at; i < all.size(); i += of) values.push_back(all[i]);
        return values;
    }

    ks::Run run;
    std::shared_ptr<ks::xpcs::CorrelationProblem> problem;

  private:
    ks::io::TemporaryFolder folder_{"kernelscope-fit"};
};

ParameterSet small(const std::string& kind) {
    return {{"kind", kind},
            {"frames", std::int64_t{300}},
            {"height", std::int64_t{81}},
            {"width", std::int64_t{81}},
            {"ring_width", 8.0}};
}

TEST(G2Fit, generated_diffusion_has_times_proportional_to_q_to_the_minus_2) {
    ParameterSet generator = small("diffusion");
    generator["frames"] = std::int64_t{1000};
    generator["height"] = generator["width"] = std::int64_t{161};
    generator["diffusion"] = 4e6;
    generator["contrast"] = 0.8;
    generator["mean"] = 60.0;
    generator["type"] = std::string("u16");
    const Generated made(generator, "single");
    const std::vector<double> q = made.run.result.at("q").values.to_doubles(),
                              gamma = made.column("fit_values", 2, 3),
                              errors = made.column("fit_errors", 2, 3),
                              tau = made.run.result.at("fit_tau").values.to_doubles(),
                              tau_errors = made.run.result.at("fit_tau_errors").values.to_doubles();
    const auto of_time = ks::fit::power_law({q, tau, tau_errors});
    ASSERT_TRUE(of_time.has_value());
    EXPECT_GE(of_time->points, 10U);
    EXPECT_NEAR(of_time->exponent, -2, 0.04);
    const auto of_rate = ks::fit::power_law({q, gamma, errors}, 2.0);
    ASSERT_TRUE(of_rate.has_value());
    EXPECT_NEAR(of_rate->amplitude / std::pow(of_rate->pivot, 2), 4e6, 0.02 * 4e6);
    EXPECT_EQ(ks::io::read_array(made.file() + "::/entry/truth/gamma", 1).shape()[0], q.size());
}

TEST(G2Fit, a_fit_is_saved_and_read_back) {
    const Generated made(small("speckle"), "stretched");
    EXPECT_EQ(made.run.result.facts["fit"]["bins"].size(), 7U);
    Progress progress;
    ks::xpcs::write_nxxpcs(made.run, made.in_folder("run.h5"), false, progress);
    const ks::Run read = ks::xpcs::read_nxxpcs(made.in_folder("run.h5"));
    EXPECT_EQ(read.result.facts["fit"], made.run.result.facts["fit"]);
    EXPECT_EQ(ks::xpcs::fit_text(read), ks::xpcs::fit_text(made.run));
    for (const ks::Dataset& dataset : made.run.result.datasets)
        if (dataset.name.starts_with("fit_")) {
            EXPECT_TRUE(read.result.at(dataset.name).values == dataset.values) << dataset.name;
        }
    EXPECT_EQ(ks::io::read_array(made.in_folder("run.h5") + "::/entry/fit/g2", 2).shape(),
              (std::vector<std::size_t>{300, 7}));
    EXPECT_EQ(ks::io::read_array(made.in_folder("run.h5") + "::/entry/fit/covariance", 3).shape(),
              (std::vector<std::size_t>{7, 4, 4}));
}

TEST(G2Fit, frames_are_those_of_the_file_if_the_series_is_shorter) {
    Generated whole(small("speckle"), "none");
    whole.run.result.facts["frame_time"] = 0.01;
    Progress progress;
    ks::xpcs::ChosenFit chosen{.model = *ks::xpcs::fit_model(asked("single"))};
    const auto gamma_of = [&](const ks::Run& run, bool seconds) {
        chosen.seconds = seconds;
        const auto table = *ks::xpcs::fit_table(ks::xpcs::with_fit(run, chosen, progress));
        EXPECT_EQ(table.parameters[2].unit, seconds ? "1/s" : "1/frame");
        return table.of("gamma", 0).first;
    };
    // A run whose frames are every third one has a third of the delays in frames of its series.
    ks::Run shorter = whole.run;
    shorter.request.parameters["stride"] = std::int64_t{3};
    const double expected = gamma_of(whole.run, false) / 3;
    EXPECT_NEAR(gamma_of(shorter, false), expected, 1e-6 * expected);
    // The frame time of a run is that of its own frames.
    EXPECT_NEAR(gamma_of(shorter, true), 300 * expected, 1e-4 * expected);
    // The fit of a run without a frame time.
    const auto own_gamma = [&](ks::Run run) {
        run.request.parameters["fit"] = std::string("single");
        run.result.facts.erase("frame_time");
        ks::xpcs::add_fit(ks::xpcs::GroupCurves{}, run, progress);
        return ks::xpcs::fit_table(run)->of("gamma", 0).first;
    };
    EXPECT_NEAR(own_gamma(shorter), expected, 1e-6 * expected);
}

TEST(G2Fit, one_that_was_chosen_after_the_run_is_in_its_file_and_no_part_of_its_repeat) {
    for (const std::string own : {"none", "single"}) {
        const Generated made(small("speckle"), own);
        ks::xpcs::ChosenFit chosen{.model = *ks::xpcs::fit_model(asked("stretched"))};
        ASSERT_EQ(chosen.model.parameters[3].name, "c");
        chosen.model.parameters[3].upper = 1.5;
        // Of the second bin also the second delay.
        chosen.leaves_out = [](std::size_t bin, double x) { return x < 1.5 || (bin == 1 && x < 2.5); };
        chosen.seconds = false;
        Progress progress;
        const ks::Run fitted = ks::xpcs::with_fit(made.run, chosen, progress);
        const std::string file = made.in_folder("chosen.h5");
        ks::xpcs::write_nxxpcs(fitted, file, true, progress);
        const ks::Run read = ks::xpcs::read_nxxpcs(file);
        EXPECT_EQ(read.result.facts["fit"]["model"], "stretched");
        EXPECT_EQ(read.result.facts["fit"]["unit_of_t"], "frames");
        EXPECT_EQ(ks::text(read.request.parameters, "fit"), own);
        const std::vector<double> upper = ks::io::read_array(file + "::/entry/fit/upper", 1).to_doubles(),
                                  lower = ks::io::read_array(file + "::/entry/fit/lower", 1).to_doubles();
        EXPECT_EQ(upper[3], 1.5);
        EXPECT_EQ(lower[3], 0);
        EXPECT_TRUE(std::isnan(upper[0]));
        const std::vector<double> residuals = read.result.at("fit_residuals").values.to_doubles(),
                                  states = read.result.at("fit_state").values.to_doubles();
        ASSERT_EQ(states[0], 0);
        ASSERT_EQ(states[1], 0);
        EXPECT_TRUE(std::isnan(residuals[1]));
        EXPECT_FALSE(std::isnan(residuals[2]));
        EXPECT_TRUE(std::isnan(residuals[300 + 2]));
        EXPECT_FALSE(std::isnan(residuals[300 + 3]));
        const bool grouped = own != "none";
        EXPECT_EQ(read.result.at("fit_groups").values.to_doubles()[0], grouped ? 24 : 0);
        EXPECT_EQ(std::isnan(read.result.at("fit_errors").values.to_doubles()[2]), !grouped);
        const ks::Analysis analysis = ks::xpcs::make_analyses().front();
        EXPECT_EQ(ks::difference_of_repeat(analysis, read, made.run, progress), std::nullopt);
        ks::Run other = made.run;
        ks::Dataset& errors =
            *std::ranges::find(other.result.datasets, std::string("g2_err"), &ks::Dataset::name);
        std::vector<double> changed = errors.values.to_doubles();
        changed[1] *= 2;
        errors.values = ks::Array::of<double>(errors.values.shape(), changed);
        EXPECT_NE(ks::difference_of_repeat(analysis, read, other, progress), std::nullopt);
    }
}

TEST(G2Fit, without_a_fit_nothing_is_added) {
    const Generated made(small("speckle"), "none");
    EXPECT_FALSE(made.run.result.facts.contains("fit"));
    for (const ks::Dataset& dataset : made.run.result.datasets) EXPECT_FALSE(dataset.name.starts_with("fit"));
    EXPECT_EQ(ks::xpcs::fit_text(made.run), "");
}

TEST(G2Fit, errors_come_from_groups_of_pixels) {
    const Generated made(small("speckle"), "single");
    const std::vector<double> groups = made.run.result.at("fit_groups").values.to_doubles();
    for (std::size_t bin = 0; bin < 6; ++bin) EXPECT_EQ(groups[bin], 24) << bin;
}

TEST(G2Fit, a_bin_of_few_pixels_has_no_errors) {
    ParameterSet generator = small("speckle");
    generator["ring_width"] = 1.0;  // the first ring has 8 pixels
    const Generated made(generator, "single");
    EXPECT_EQ(made.run.result.at("fit_groups").values.to_doubles()[0], 0);
    EXPECT_TRUE(std::isnan(made.column("fit_errors", 2, 3)[0]));
    EXPECT_TRUE(std::isnan(made.run.result.at("fit_covariance").values.to_doubles()[0]));
}

}  // namespace g2_fit_test
