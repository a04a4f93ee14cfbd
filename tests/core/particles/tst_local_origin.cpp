#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "core/particles/origin.h"
#include "core/particles/result.h"
#include "tests/core/particles/particle_fixture.h"

namespace ks::tests {
namespace {

using namespace particles;

/// Largest |found - defined| of all targets, relative to the largest of the defined sums.
double error_of(const SumProblem& problem, const ks::Run& run) {
    const Array found = sums_of(run.result, problem);
    long double worst = 0, largest = 0;
    for (std::size_t i = 0; i < problem.n_targets(); ++i) {
        const std::complex<long double> sum = defined_sum(problem, problem.target(i));
        const long double im = problem.parts() == 2 ? found.as<double>()[problem.n_targets() + i] : 0;
        worst = std::max(worst, std::abs(std::complex<long double>(found.as<double>()[i], im) - sum));
        largest = std::max(largest, std::abs(sum));
    }
    return static_cast<double>(worst / largest);
}

Verdict verdict_of(const SumProblem& problem, const ks::Run& run) {
    Progress progress;
    return check_sums(problem, run, CheckMode::full, progress);
}

bool warns(const std::vector<std::string>& warnings, const std::string& of) {
    return std::ranges::any_of(warnings,
                               [&](const std::string& text) { return text.find(of) != std::string::npos; });
}

PointsPtr moved(const PointsPtr& points, std::size_t first, double by) {
    auto set = std::make_shared<PointSet>(*points);
    for (std::size_t i = first; i < set->size(); ++i) set->x[i] += by;
    return set;
}

TEST(LocalOrigin, one_point_that_is_far_from_all_others_costs_them_no_digits) {
    for (const double far : {1e6, 1e12, 1e17})
        for (const Kernel kernel : {Kernel::rbf, Kernel::laplace}) {
            const PointsPtr sources = random_points(60, 1), targets = random_points(40, 2);
            const SumSettings settings = settings_of(kernel, Precision::f32);
            const SumProblem of_source(moved(sources, 59, far), targets, settings),
                of_target(sources, moved(targets, 39, far), settings);
            for (const SumProblem* problem : {&of_source, &of_target}) {
                const ks::Run run = host_sum(*problem, "host.vector");
                EXPECT_LT(error_of(*problem, run), 1e-6) << far;
                EXPECT_EQ(verdict_of(*problem, run).state, Verdict::State::pass) << far;
                EXPECT_TRUE(problem->warnings.empty()) << problem->warnings.front();
            }
        }
}

TEST(LocalOrigin, of_ordinary_points_is_the_middle_of_their_box) {
    const SumProblem problem(points_of({{0, 0, 0, 1}, {3, 1, 2, 1}}), random_points(100, 3, false, 0.5, 1),
                             settings_of(Kernel::laplace, Precision::f32));
    EXPECT_EQ(problem.centre(), (Place{1.5, 0.5, 1}));
    EXPECT_EQ(problem.reach(), problem.half_extent());
}

TEST(LocalOrigin, groups_too_far_apart_for_floats_are_told_and_fail_the_check) {
    for (const Kernel kernel : {Kernel::rbf, Kernel::laplace, Kernel::helmholtz}) {
        const PointsPtr sources = moved(random_points(60, 1), 30, 1e6),
                        targets = moved(random_points(40, 2), 20, 1e6);
        const SumProblem problem(sources, targets, settings_of(kernel, Precision::f32));
        const ks::Run run = host_sum(problem, "host.vector");
        EXPECT_GT(error_of(problem, run), 1e-4);
        const Verdict verdict = verdict_of(problem, run);
        EXPECT_EQ(verdict.state, Verdict::State::fail);
        EXPECT_NE(verdict.text.find("choose f64"), std::string::npos) << verdict.text;
        EXPECT_TRUE(warns(run.result.warnings, "use f64"));
        const SumProblem in_double(sources, targets, settings_of(kernel, Precision::f64));
        EXPECT_TRUE(in_double.warnings.empty());
    }
}

TEST(ParticleCheck, one_heavy_weight_does_not_excuse_the_sums_that_it_does_not_reach) {
    auto sources = std::make_shared<PointSet>(*random_points(60, 4));
    sources->x[0] = 50;
    sources->weight[0] = 1e20;
    auto targets = std::make_shared<PointSet>(*random_points(40, 5));
    targets->x[0] = 50;
    const SumProblem problem(sources, targets, settings_of(Kernel::rbf, Precision::f32));
    ks::Run run = host_sum(problem, "host.vector");
    ASSERT_EQ(verdict_of(problem, run).state, Verdict::State::pass);
    for (Dataset& dataset : run.result.datasets)
        if (dataset.name == "potential") dataset.values.as<float>()[7] *= 1.001f;
    EXPECT_EQ(verdict_of(problem, run).state, Verdict::State::fail);
}

TEST(ParticleResult, sums_beyond_their_type_and_below_it_are_told) {
    const PointsPtr targets = random_points(5, 6);
    const auto warnings_of = [&](double weight, Precision precision, const std::string& variant) {
        auto sources = std::make_shared<PointSet>(*random_points(20, 7));
        std::ranges::fill(sources->weight, weight);
        const SumProblem problem(sources, targets, settings_of(Kernel::laplace, precision));
        return host_sum(problem, variant).result.warnings;
    };
    for (const char* variant : {"host.vector", "host.treecode"}) {
        EXPECT_TRUE(warns(warnings_of(1e300, Precision::f32, variant), "5 of 5 sums are not finite"));
        EXPECT_TRUE(warns(warnings_of(1e-300, Precision::f32, variant), "all sums are 0 or below"));
        EXPECT_FALSE(warns(warnings_of(1, Precision::f32, variant), "sums"));
        EXPECT_FALSE(warns(warnings_of(1e300, Precision::f64, variant), "sums"));
    }
    EXPECT_TRUE(warns(warnings_of(1e-309, Precision::f64, "host.vector"), "all sums are 0 or below"));
    EXPECT_FALSE(warns(warnings_of(0, Precision::f32, "host.vector"), "sums"));
}

TEST(ParticleResult, sums_that_are_no_numbers_are_not_told_to_exceed_the_range) {
    SumSettings settings = settings_of(Kernel::laplace, Precision::f32);
    settings.gradient = true;
    const SumProblem problem(random_points(20, 7), random_points(5, 6), settings);
    const float nan = std::numeric_limits<float>::quiet_NaN(), inf = std::numeric_limits<float>::infinity();
    const auto warnings_of = [&](std::vector<float> values) {
        const std::size_t rows = problem.n_rows();
        values.resize(rows * 5, 1.0F);
        return to_result(problem, Array::of<float>({rows, 5}, values), 0, {}).warnings;
    };
    const std::vector<std::string> lost = warnings_of({nan, 1, nan});
    EXPECT_TRUE(warns(lost, "2 of 20 sums are not a number (NaN)"));
    EXPECT_FALSE(warns(lost, "only represents"));
    EXPECT_FALSE(warns(lost, "choose"));
    const std::vector<std::string> beyond = warnings_of({1, -inf});
    EXPECT_TRUE(
        warns(beyond, "1 of 20 sums is not finite, because f32 only represents values up to 3.4e+38"));
    EXPECT_FALSE(warns(beyond, "NaN"));
}

}  // namespace
}  // namespace ks::tests
