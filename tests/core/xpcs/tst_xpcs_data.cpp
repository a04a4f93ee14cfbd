#include <gtest/gtest.h>

#include "core/io/digis/convert.h"
#include "core/io/open_frames.h"
#include "core/xpcs/analysis.h"
#include "tests/beamline_files.h"
#include "tests/core/xpcs/oracle.h"

using ks::Progress;
using ks::Request;
using ks::Result;
using ks::xpcs::CorrelationProblem;

namespace {

std::shared_ptr<const CorrelationProblem> load(const Request& request) {
    Progress progress;
    return std::dynamic_pointer_cast<const CorrelationProblem>(
        ks::xpcs::make_analyses().front().load(request, progress, nullptr));
}

using CorrelationOfFiles = ks::tests::IoTest;

TEST_F(CorrelationOfFiles, EveryHostVariantGivesTheNumPyReference) {
    const std::string file = ks::tests::reference_data("xpcs_rings_u8.h5");
    const auto reference = [&](const char* name, std::size_t rank) {
        return ks::io::read_array(file + "::/reference/" + name, rank).to_doubles();
    };
    const std::vector<double> g2 = reference("g2", 2), g2_err = reference("g2_err", 2),
                              two_time = reference("two_time", 3);
    Request request;
    request.inputs = {{"frames", {file + "::/entry/data/data"}}, {"partition", {file + "::/entry/qmask"}}};
    request.parameters["two_time_bin"] = std::int64_t{3};
    const auto problem = load(request);
    const std::size_t frames = problem->frames();
    ASSERT_EQ(g2.size(), problem->partition().bins() * frames);
    for (const ks::HostVariant& variant : ks::xpcs::host_variants()) {
        SCOPED_TRACE(variant.info.id);
        const Result result = run_host(variant, *problem);
        if (is_averaged(result)) continue;
        const auto found = result.at("g2").values.as<double>(),
                   error = result.at("g2_err").values.as<double>();
        const double g2_tolerance = tolerance(variant.info, "g2", 1e-12);
        for (std::size_t i = 0; i < g2.size(); ++i) {
            ASSERT_NEAR(found[i], g2[i], g2_tolerance * g2[i]) << i;
            if (!variant.info.computes("g2_err")) continue;
            ASSERT_NEAR(error[i], g2_err[i], tolerance(variant.info, "g2_err", 1e-9) * g2_err[i] + 1e-14)
                << i;
        }
        if (!variant.info.computes("two_time")) continue;
        const auto map = result.at("two_time").values.as<double>();
        for (std::size_t i = 0; i < frames * frames; ++i)
            ASSERT_NEAR(map[i], two_time[2 * frames * frames + i], (1e-7 + g2_tolerance) * map[i]) << i;
    }
}

TEST_F(CorrelationOfFiles, DecaysOfARadioactiveSourceAreUncorrelated) {
    const std::string csv = ks::tests::reference_data("timepix_sr90_0.00mm.csv"), stack = at("stack.h5");
    Progress progress;
    ks::io::convert_digis(csv, 256, 256, stack, false, progress);
    Request request;
    request.inputs = {{"frames", {stack}}, {"partition", {"rings:128,128,20,20,5"}}};
    const auto problem = load(request);
    ASSERT_EQ(problem->frames(), 600U);
    const Result result = run_host(host_variant("host.reference"), *problem);
    const auto g2 = result.at("g2").values.as<double>(), error = result.at("g2_err").values.as<double>();
    for (std::size_t bin = 0; bin < 5; ++bin) {
        // Of a normal number of this error the mean of |z| is sqrt(2 / pi) = 0.80. (Rings with few hits
        // have delays without any coincidence, where the error means nothing.)
        double mean = 0;
        for (std::size_t delay = 1; delay <= 499; ++delay)
            mean += std::abs(g2[bin * 600 + delay] - 1) / error[bin * 600 + delay] / 499;
        EXPECT_GT(mean, 0.6) << "bin " << bin + 1;
        EXPECT_LT(mean, 1.0) << "bin " << bin + 1;
    }
}

TEST_F(CorrelationOfFiles, RingsOfASwappedBeamCentre) {
    const std::string file = at("series.h5");
    ks::tests::beamline::write_series(file);
    Request request;
    request.inputs = {{"frames", {file}}, {"partition", {"rings:beam,beam,20,20,10"}}};
    request.parameters["swap_xy"] = true;
    request.parameters["two_time_bin"] = std::int64_t{5};
    const auto problem = load(request);
    const auto geometry = ks::io::read_geometry(file);
    ASSERT_TRUE(geometry);
    EXPECT_EQ(problem->geometry, geometry->swapped());
    EXPECT_EQ(problem->frames(), 10U);
    EXPECT_EQ(problem->partition().bins(), 10U);

    const ks::HostVariant& reference = host_variant("host.reference");
    ks::Run run;
    run.variant = reference.info;
    run.result = run_host(reference, *problem);
    const auto q = run.result.at("q").values.as<double>();
    for (std::size_t bin = 1; bin < 10; ++bin) EXPECT_GT(q[bin], q[bin - 1]);
    for (std::size_t bin = 0; bin < 10; ++bin)
        EXPECT_NEAR(q[bin], geometry->q_of_radius(30.0 + 20.0 * static_cast<double>(bin)), 0.15 * q[bin]);
    // The scattering falls with q: in rings about the true centre pixels are alike, so g2 is close to 1.
    Request plain = request;
    plain.parameters["swap_xy"] = false;
    plain.parameters["two_time_bin"] = {};
    plain.inputs["partition"] = {"rings:beam,beam,20,20,40"};
    const Result elsewhere = run_host(reference, *load(plain));
    const auto spread = [](const Result& result) {
        double sum = 0, n = 0;
        const auto& g2 = result.at("g2").values;
        for (std::size_t bin = 0; bin < g2.shape()[0]; ++bin) {
            const double value = g2.as<double>()[bin * 10 + 1];
            if (std::isnan(value)) continue;
            sum += value - 1;
            n += 1;
        }
        return sum / n;
    };
    EXPECT_LT(spread(run.result), spread(elsewhere));
    Progress progress;
    const ks::Verdict verdict = ks::xpcs::check_correlation(*problem, run, ks::CheckMode::sample, progress);
    EXPECT_EQ(verdict.state, ks::Verdict::State::sampled) << verdict.text;
}

}  // namespace
