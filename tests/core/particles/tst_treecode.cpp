// The treecode of the host against direct sums that are written down here once more: kernels, distributions,
// tolerances, and what lies at the edges.

#include <gtest/gtest.h>

#include <cmath>
#include <complex>
#include <numbers>
#include <string>
#include <tuple>

#include "core/particles/analysis.h"
#include "core/particles/parameters.h"
#include "tests/core/particles/particle_fixture.h"
#include "tests/core/particles/treecode_points.h"

namespace treecode_test {

using namespace ks;
using namespace ks::particles;
using namespace ks::tests;

namespace {

using Complex = std::complex<double>;

/// f, df/dx, df/dy, df/dz of one vector of weights at a target, from the formulas.
std::array<Complex, 4> formulas(const SumProblem& problem, std::size_t target, std::size_t vector) {
    const PointSet& sources = problem.sources();
    const SumSettings& how = problem.settings();
    const Place at = problem.target(target);
    std::array<Complex, 4> sums{};
    for (std::size_t j = 0; j < sources.size(); ++j) {
        const double d[] = {at[0] - sources.x[j], at[1] - sources.y[j], at[2] - sources.z[j]};
        const double r = std::hypot(d[0], d[1], d[2]), variance = how.sigma * how.sigma;
        if (r == 0 && how.kernel != Kernel::rbf) continue;
        const double k = how.kernel == Kernel::helmholtz ? how.wavenumber : 0;
        const Complex g = how.kernel == Kernel::rbf ? Complex(std::exp(-r * r / (2 * variance)))
                                                    : std::polar(1 / (4 * std::numbers::pi * r), k * r);
        // dg/dr / r
        const Complex slope = how.kernel == Kernel::rbf ? -g / variance : g * Complex(-1 / r, k) / r;
        const std::vector<double>& im = sources.im(vector);
        const Complex weight(sources.re(vector)[j], im.empty() ? 0 : im[j]);
        sums[0] += g * weight;
        for (std::size_t axis = 0; axis < 3; ++axis) sums[axis + 1] += slope * d[axis] * weight;
    }
    return sums;
}

struct Errors {
    double potential = 0, gradient = 0;
};

/// Rms errors relative to the rms of the sums, the largest of all vectors, at every `step`-th target.
Errors errors_of(const SumProblem& problem, const Result& result, std::size_t step) {
    const Array sums = sums_of(result, problem);
    const auto values = sums.as<double>();
    const std::size_t n = problem.n_targets(), parts = problem.parts(), quantities = problem.quantities();
    Errors worst;
    for (std::size_t vector = 0; vector < problem.n_vectors(); ++vector) {
        double off = 0, size = 0, slopes_off = 0, slopes_size = 0;
        for (std::size_t t = 0; t < n; t += step) {
            const auto exact = formulas(problem, t, vector);
            for (std::size_t q = 0; q < quantities; ++q) {
                const double* const found = values.data() + (vector * quantities + q) * parts * n + t;
                const double error = std::norm(Complex(found[0], parts == 2 ? found[n] : 0) - exact[q]);
                (q == 0 ? off : slopes_off) += error;
                (q == 0 ? size : slopes_size) += std::norm(exact[q]);
            }
        }
        worst.potential = std::max(worst.potential, off == 0 ? 0 : std::sqrt(off / size));
        if (quantities > 1)
            worst.gradient =
                std::max(worst.gradient, slopes_off == 0 ? 0 : std::sqrt(slopes_off / slopes_size));
    }
    return worst;
}

SumSettings asked(Kernel kernel, double tolerance, Precision precision = Precision::f64,
                  bool gradient = false) {
    SumSettings settings = settings_of(kernel, precision, 0.5);
    settings.tolerance = tolerance;
    settings.gradient = gradient;
    return settings;
}

/// Clusters stand for their points wherever they may, small as the problems are.
ks::Run far_reaching(const SumProblem& problem, unsigned threads = 2, std::size_t leaf = 50) {
    ks::Run run;
    Progress progress;
    HostContext context{run.request, progress, run.timings, threads, std::uint64_t{1} << 30};
    Accuracy accuracy = accuracy_of(problem.settings());
    accuracy.pairs_anyway = 4'000'000;
    run.result = treecode_result(problem, treecode_sums(problem, accuracy, leaf, context),
                                 direct_sample(problem, progress), run.timings);
    run.variant.tolerances = {{asked_tolerance, 1}};
    return run;
}

std::uint64_t fact(const ks::Run& run, const char* name) {
    return run.result.facts.at(name).get<std::uint64_t>();
}

class Asked : public ::testing::TestWithParam<std::tuple<Kernel, const char*, double, bool>> {};

TEST_P(Asked, error_holds) {
    const auto& [kernel, shape, tolerance, gradient] = GetParam();
    const std::size_t n = tolerance < 1e-4 ? 700 : 1500;
    const PointsPtr sources = points_in(shape, n, 1), targets = points_in(shape, n, 2);
    for (const Precision precision : {Precision::f32, Precision::f64}) {
        // On a line the nearest of random points are nearer to each other than floats can tell.
        if (precision == Precision::f32 && (tolerance < 1e-4 || std::string(shape) == "line")) continue;
        const SumProblem problem(sources, targets, asked(kernel, tolerance, precision, gradient));
        const ks::Run run = far_reaching(problem);
        const Errors errors = errors_of(problem, run.result, 13);
        EXPECT_LE(errors.potential, tolerance);
        EXPECT_LE(errors.gradient, tolerance);
        // So many Chebyshev points as small errors of wide boxes take, are more than these.
        if (kernel == Kernel::rbf && tolerance < 1e-4) continue;
        EXPECT_GT(fact(run, "far_pairs"), 0u);
        EXPECT_LT(fact(run, "near_pairs"), problem.pairs());
    }
}

INSTANTIATE_TEST_SUITE_P(Cases, Asked,
                         ::testing::Combine(::testing::Values(Kernel::rbf, Kernel::laplace,
                                                              Kernel::helmholtz),
                                            ::testing::Values("cube", "sphere", "clusters", "line", "plane"),
                                            ::testing::Values(1e-2, 1e-4, 1e-6), ::testing::Bool()));

TEST(Treecode, the_reached_error_is_told_as_it_is) {
    const SumProblem problem(points_in("cube", 5000, 1), points_in("cube", 5000, 2),
                             asked(Kernel::laplace, 1e-2));
    const ks::Run run = far_reaching(problem);
    const double reached = run.result.facts.at("reached_error").get<double>(),
                 real = errors_of(problem, run.result, 7).potential;
    EXPECT_GT(real, 0);
    EXPECT_GT(reached, real / 2);
    EXPECT_LT(reached, 2 * real);
    EXPECT_EQ(run.result.facts.at("tolerance"), 1e-2);
    EXPECT_NE(summary_of(run).find("tolerance 0.01, reached "), std::string::npos) << summary_of(run);
    EXPECT_TRUE(run.result.warnings.empty());
}

TEST(Treecode, an_error_beyond_the_tolerance_fails_the_check) {
    // Nearest points so near that floats cannot tell how far.
    const PointsPtr sources = points_in("line", 6000, 1), targets = points_in("line", 6000, 2);
    const SumProblem problem(sources, targets, asked(Kernel::laplace, 1e-3, Precision::f32));
    ks::Run run = host_sum(problem, "host.treecode");
    Progress progress;
    const Verdict verdict = check_sums(problem, run, CheckMode::full, progress);
    EXPECT_EQ(verdict.state, Verdict::State::fail) << verdict.text;
    EXPECT_EQ(verdict.tolerance, 1e-3);
}

TEST(Treecode, an_error_beyond_the_tolerance_is_a_warning) {
    const SumProblem problem(points_in("cube", 500, 1), points_in("cube", 500, 2),
                             asked(Kernel::laplace, 1e-3));
    TreecodeSums sums;
    sums.values = sums_of(host_sum(problem, "host.reference").result, problem);
    Progress progress;
    const DirectSample sample = direct_sample(problem, progress);
    EXPECT_TRUE(treecode_result(problem, sums, sample, {}).warnings.empty());
    for (double& value : sums.values.as<double>()) value *= 1.002;
    const Result result = treecode_result(problem, sums, sample, {});
    ASSERT_EQ(result.warnings.size(), 1u);
    EXPECT_NE(result.warnings[0].find("the requested tolerance is 0.001"), std::string::npos)
        << result.warnings[0];
    EXPECT_NE(result.warnings[0].find("is 0.002"), std::string::npos) << result.warnings[0];
    EXPECT_NEAR(result.facts.at("reached_error").get<double>(), 0.002, 1e-6);
}

TEST(Treecode, narrow_rbf_leaves_out_what_is_too_small_and_holds_the_error) {
    SumSettings settings = asked(Kernel::rbf, 1e-3);
    settings.sigma = 0.02;
    const SumProblem problem(points_in("cube", 3000, 1), points_in("cube", 3000, 2), settings);
    const ks::Run run = far_reaching(problem);
    EXPECT_LE(errors_of(problem, run.result, 17).potential, 1e-3);
    EXPECT_LT(fact(run, "near_pairs"), problem.pairs() / 4);
}

TEST(Treecode, the_check_applies_the_tolerance_that_was_asked_for) {
    const SumProblem loose(points_in("cube", 4000, 1), points_in("cube", 4000, 2),
                           asked(Kernel::laplace, 1e-2));
    const ks::Run run = far_reaching(loose);
    Progress progress;
    EXPECT_EQ(check_sums(loose, run, CheckMode::full, progress).state, Verdict::State::pass);
    const SumProblem strict(loose.shared_sources(), loose.targets(), asked(Kernel::laplace, 1e-6));
    const Verdict verdict = check_sums(strict, run, CheckMode::full, progress);
    EXPECT_EQ(verdict.state, Verdict::State::fail);
    EXPECT_NE(verdict.text.find("tolerance 1e-06"), std::string::npos) << verdict.text;
}

TEST(Treecode, coincident_points_are_skipped_and_counted_as_the_definition_does) {
    const PointsPtr points = points_in("clusters", 2500, 1);
    for (const Kernel kernel : {Kernel::laplace, Kernel::helmholtz})
        for (const bool gradient : {false, true}) {
            const SumProblem problem(points, points, asked(kernel, 1e-3, Precision::f64, gradient));
            const ks::Run run = far_reaching(problem);
            EXPECT_EQ(fact(run, "skipped_pairs"), 2500u);
            const Errors errors = errors_of(problem, run.result, 7);
            EXPECT_LE(std::max(errors.potential, errors.gradient), 1e-3);
        }
}

TEST(Treecode, all_points_in_one_place_are_summed) {
    auto points = std::make_shared<PointSet>();
    for (int i = 0; i < 400; ++i) {
        points->x.push_back(0.25);
        points->y.push_back(-3);
        points->z.push_back(7);
        points->weight.push_back(1 + i);
    }
    for (const bool gradient : {false, true}) {
        const SumProblem rbf(points, points, asked(Kernel::rbf, 1e-4, Precision::f32, gradient));
        const ks::Run run = far_reaching(rbf);
        for (const double value : run.result.at("potential").values.to_doubles())
            EXPECT_NEAR(value, 400 * 401 / 2, 1);
        const SumProblem laplace(points, points, asked(Kernel::laplace, 1e-4, Precision::f32, gradient));
        const ks::Run skipped = far_reaching(laplace);
        EXPECT_EQ(fact(skipped, "skipped_pairs"), 160000u);
        for (const double value : skipped.result.at("potential").values.to_doubles()) EXPECT_EQ(value, 0);
    }
}

TEST(Treecode, without_sources_or_targets_there_is_no_problem_to_sum) {
    const PointsPtr none = points_of({}), one = points_of({{0.1, 0.2, 0.3, 1}});
    for (const auto& [sources, targets, what] :
         {std::tuple{none, one, "sources"}, {one, none, "targets"}, {none, none, "targets"}}) {
        try {
            const SumProblem problem(sources, targets, asked(Kernel::laplace, 0.1));
            ADD_FAILURE() << what;
        } catch (const Error& error) {
            EXPECT_EQ(error.kind(), ErrorKind::input);
            EXPECT_EQ(error.message(), "expected points, found none");
            EXPECT_EQ(error.where(), what);
        }
    }
}

TEST(Treecode, one_source_acts_on_one_target_and_not_on_itself) {
    const PointsPtr source = points_of({{1, 2, 3, -2}});
    for (const Precision precision : {Precision::f32, Precision::f64}) {
        const SumProblem apart(source, points_of({{1, 2, 3.5, 0}}), asked(Kernel::laplace, 1e-3, precision));
        const ks::Run run = host_sum(apart, "host.treecode");
        EXPECT_NEAR(run.result.at("potential").values.to_doubles().at(0), -1 / std::numbers::pi, 1e-7);
        const SumProblem same(source, points_of({{1, 2, 3, 0}}), asked(Kernel::laplace, 1e-3, precision));
        const ks::Run skipped = host_sum(same, "host.treecode");
        EXPECT_EQ(skipped.result.at("potential").values.to_doubles().at(0), 0);
        EXPECT_EQ(fact(skipped, "skipped_pairs"), 1u);
    }
}

TEST(Treecode, few_points_are_summed_pair_by_pair) {
    for (const std::size_t n : {1, 2, 50})
        for (const Kernel kernel : {Kernel::rbf, Kernel::laplace, Kernel::helmholtz}) {
            const SumProblem problem(random_points(n, 1), random_points(n + 1, 2), asked(kernel, 0.1));
            const ks::Run run = host_sum(problem, "host.treecode");
            EXPECT_EQ(fact(run, "far_pairs"), 0u);
            EXPECT_EQ(fact(run, "near_pairs"), n * (n + 1));
            EXPECT_LE(errors_of(problem, run.result, 1).potential, 1e-13);
        }
}

TEST(Treecode, several_and_complex_weights_hold_the_error_each) {
    const PointsPtr points = points_in("cube", 2500, 1);
    for (const bool complex_weights : {false, true}) {
        PointsPtr first = complex_weights ? random_points(2500, 3, true) : points;
        for (const Kernel kernel : {Kernel::rbf, Kernel::laplace, Kernel::helmholtz})
            for (const bool gradient : {false, true}) {
                const SumProblem problem(with_vectors(first, 3, complex_weights), points_in("cube", 1500, 2),
                                         asked(kernel, 1e-3, Precision::f32, gradient));
                const ks::Run run = far_reaching(problem);
                const Errors errors = errors_of(problem, run.result, 17);
                EXPECT_LE(std::max(errors.potential, errors.gradient), 1e-3);
                EXPECT_GT(fact(run, "far_pairs"), 0u);
            }
    }
}

TEST(Treecode, planes_and_cubes_of_targets_hold_the_error) {
    // Gradients across a plane of targets too, whose clusters are flat.
    for (const Targets& targets :
         {Targets(PlaneGrid{40, -0.2, 1.3, 0.3, 0.5, 0.75}), Targets(CubeGrid{17, -0.5, 1})})
        for (const bool gradient : {false, true})
            for (const Kernel kernel : {Kernel::rbf, Kernel::laplace}) {
                const SumProblem problem(points_in("cube", 3000, 1), targets,
                                         asked(kernel, 1e-3, Precision::f32, gradient));
                const ks::Run run = far_reaching(problem);
                const Errors errors = errors_of(problem, run.result, 31);
                EXPECT_LE(errors.potential, 1e-3);
                EXPECT_LE(errors.gradient, 1e-3);
                EXPECT_GT(fact(run, "far_pairs"), 0u);
            }
}

TEST(Treecode, short_waves_fall_to_smaller_clusters_and_hold_the_error) {
    SumSettings settings = asked(Kernel::helmholtz, 1e-3);
    const PointsPtr sources = points_in("cube", 3000, 1), targets = points_in("cube", 3000, 2);
    std::uint64_t near_before = 0;
    for (const double k : {10.0, 60.0, 30000.0}) {
        settings.wavenumber = k;
        const SumProblem problem(sources, targets, settings);
        const ks::Run run = far_reaching(problem);
        EXPECT_LE(errors_of(problem, run.result, 29).potential, 1e-3) << k;
        EXPECT_GE(fact(run, "near_pairs"), near_before);
        near_before = fact(run, "near_pairs");
    }
    EXPECT_EQ(near_before, 9000000u);
    const ks::Run shortest = far_reaching(SumProblem(sources, targets, settings));
    ASSERT_EQ(shortest.result.warnings.size(), 1u);
    EXPECT_NE(shortest.result.warnings[0].find("100 % of the pairs"), std::string::npos)
        << shortest.result.warnings[0];
}

TEST(Treecode, of_more_points_is_less_than_all_pairs) {
    const SumProblem problem(points_in("cube", 30000, 1), points_in("cube", 30000, 2),
                             asked(Kernel::laplace, 1e-3, Precision::f32));
    const ks::Run run = host_sum(problem, "host.treecode");
    EXPECT_GT(fact(run, "far_pairs"), 0u);
    EXPECT_LT(fact(run, "far_pairs") + fact(run, "near_pairs"), problem.pairs() / 2);
    EXPECT_LE(errors_of(problem, run.result, 101).potential, 1e-3);
}

TEST(Treecode, does_not_depend_on_the_number_of_threads) {
    const SumProblem problem(points_in("clusters", 6000, 1), points_in("cube", 5000, 2),
                             asked(Kernel::laplace, 1e-3, Precision::f32));
    EXPECT_EQ(sums_of(far_reaching(problem, 1).result, problem),
              sums_of(far_reaching(problem, 2).result, problem));
}

TEST(Treecode, tolerances_that_are_none_are_refused_with_what_is_expected) {
    for (const double wrong : {0.0, -1e-3, 1e-30, 2.0, std::nan("")}) try {
            checked(analysis_info().parameters, {{"tolerance", wrong}});
            ADD_FAILURE() << wrong;
        } catch (const Error& error) {
            EXPECT_EQ(error.kind(), ErrorKind::input);
            EXPECT_NE(std::string(error.what()).find("tolerance"), std::string::npos) << error.what();
        }
}

TEST(Treecode, a_tolerance_beyond_floats_is_refused_and_doubles_are_proposed) {
    for (const Kernel kernel : {Kernel::rbf, Kernel::laplace, Kernel::helmholtz}) {
        try {
            accuracy_of(asked(kernel, 1e-9, Precision::f32));
            ADD_FAILURE();
        } catch (const Error& error) {
            EXPECT_EQ(error.kind(), ErrorKind::input);
            EXPECT_NE(std::string(error.what()).find("f64"), std::string::npos) << error.what();
        }
        EXPECT_NO_THROW(accuracy_of(asked(kernel, 1e-9)));
    }
}

TEST(Treecode, has_to_be_asked_for_by_name) {
    for (const HostVariant& row : host_variants())
        EXPECT_EQ(row.info.by_name_only, row.info.id == "host.treecode");
}

TEST(Treecode, its_tolerance_is_idle_where_another_variant_is_named) {
    Request request;
    request.analysis = "particles";
    request.parameters = {{"tolerance", 1e-3}};
    const auto idle = [&request](const char* variant) {
        request.variant = variant;
        return std::ranges::any_of(idle_parameters(request),
                                   [](const IdleParameter& one) { return one.id == "tolerance"; });
    };
    EXPECT_TRUE(idle("host.vector"));
    EXPECT_TRUE(idle(""));
    EXPECT_FALSE(idle("host.treecode"));
    EXPECT_FALSE(idle("treecode"));
}

}  // namespace
}  // namespace treecode_test
