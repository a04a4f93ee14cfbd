// Sums of the host variants against the definition in long double, closed forms and symmetries.

#include <gtest/gtest.h>

#include "tests/core/io/io_fixture.h"
#include "tests/core/particles/particle_fixture.h"

#include "core/io/points/point_file.h"
#include "core/particles/generator.h"

namespace particle_sums_test {

using namespace ks;
using namespace ks::particles;
using namespace ks::tests;

namespace {

constexpr Kernel kernels[] = {Kernel::rbf, Kernel::laplace, Kernel::helmholtz};

class HostSums : public ::testing::TestWithParam<const char*> {
  protected:
    Array sums(const SumProblem& problem) {
        run = host_sum(problem, GetParam());
        return sums_of(run.result, problem);
    }
    void expect_defined(const SumProblem& problem, double relative) {
        const Array found = sums(problem);
        for (std::size_t t = 0; t < problem.n_targets(); ++t) {
            const auto expected = defined_sum(problem, problem.target(t));
            const double scale = std::max(1e-3, static_cast<double>(std::abs(expected)));
            ASSERT_NEAR(found.as<double>()[t], static_cast<double>(expected.real()), relative * scale) << t;
            if (problem.is_complex()) {
                ASSERT_NEAR(found.as<double>()[problem.n_targets() + t], static_cast<double>(expected.imag()),
                            relative * scale)
                    << t;
            }
        }
    }
    ks::Run run;
};

TEST_P(HostSums, of_any_size_are_those_of_the_definition) {
    for (const Kernel kernel : kernels)
        for (const bool complex_weights : {false, true})
            for (const auto& [targets, sources] :
                 {std::pair<std::size_t, std::size_t>{1, 1}, {3, 129}, {257, 50}, {515, 7}})
                expect_defined(
                    SumProblem(random_points(sources, 1, complex_weights), random_points(targets, 2),
                               settings_of(kernel, Precision::f64, 0.3)),
                    1e-12);
}

TEST_P(HostSums, on_planes_are_those_of_the_definition) {
    for (const std::size_t side : {1, 2, 17, 33})
        expect_defined(SumProblem(random_points(9, 3), PlaneGrid{side, -0.5, 1.25, 0.25, 0.5, 0.75},
                                  settings_of(Kernel::rbf, Precision::f64, 0.4)),
                       1e-12);
}

TEST_P(HostSums, a_plane_has_its_first_coordinate_along_the_rows_and_includes_the_ends) {
    // 1 / r of one source at (1, 0.5, 0.25).
    const SumProblem problem(points_of({{1, 0.5, 0.25, 1}}), PlaneGrid{5, 0, 1, 0.25, 0.5, 1},
                             settings_of(Kernel::laplace));
    sums(problem);
    const double at_quarter = 1 / (4 * std::numbers::pi * 0.25);
    // xy: at z = 0.25, i along x: (0.75, 0.5) is row 3, column 2; the source is row 4, column 2.
    const auto xy = run.result.at("potential_xy").values.to_doubles();
    EXPECT_NEAR(xy[3 * 5 + 2], at_quarter, 1e-6);
    EXPECT_EQ(xy[4 * 5 + 2], 0);
    // xz: at y = 0.5, the source is row 4 (x = 1), column 1 (z = 0.25).
    EXPECT_EQ(run.result.at("potential_xz").values.to_doubles()[4 * 5 + 1], 0);
    // yz: at x = 1, row 2 (y = 0.5), column 1.
    const auto yz = run.result.at("potential_yz").values.to_doubles();
    EXPECT_EQ(yz[2 * 5 + 1], 0);
    EXPECT_NEAR(yz[2 * 5 + 2], at_quarter, 1e-6);
    EXPECT_EQ(run.result.facts.at("skipped_pairs"), 3);
    EXPECT_EQ(run.result.at("potential_yz").axes, (std::vector<std::string>{"y", "z"}));
    EXPECT_EQ(run.result.at("y").values.to_doubles(), (std::vector<double>{0, 0.25, 0.5, 0.75, 1}));
}

TEST_P(HostSums, coincident_points_add_nothing_and_are_counted_where_the_kernel_is_singular) {
    const PointsPtr sources = points_of({{0.1, 0.2, 0.3, 2}, {0.1, 0.2, 0.3, 3}, {0.7, 0.2, 0.3, 5}});
    for (const Precision precision : {Precision::f32, Precision::f64}) {
        for (const Kernel kernel : {Kernel::laplace, Kernel::helmholtz}) {
            const SumProblem problem(sources, points_of({{0.1, 0.2, 0.3, 0}}),
                                     settings_of(kernel, precision, 1, 0));
            EXPECT_NEAR(sums(problem).as<double>()[0], 5 / (4 * std::numbers::pi * 0.6), 1e-6);
            EXPECT_EQ(run.result.facts.at("skipped_pairs"), 2);
            EXPECT_EQ(run.result.warnings.size(), 1u);
        }
        const SumProblem smooth(sources, points_of({{0.1, 0.2, 0.3, 0}}),
                                settings_of(Kernel::rbf, precision, 0.6));
        EXPECT_NEAR(sums(smooth).as<double>()[0], 5 + 5 * std::exp(-0.5), 2e-6);
        EXPECT_EQ(run.result.facts.at("skipped_pairs"), 0);
    }
}

TEST_P(HostSums, helmholtz_without_a_wavenumber_is_laplace) {
    const PointsPtr sources = random_points(60, 5), targets = random_points(70, 6);
    for (const Precision precision : {Precision::f32, Precision::f64}) {
        const Array still = sums({sources, targets, settings_of(Kernel::helmholtz, precision, 1, 0)});
        const Array laplace = sums({sources, targets, settings_of(Kernel::laplace, precision)});
        for (std::size_t t = 0; t < 70; ++t) {
            EXPECT_NEAR(still.as<double>()[t], laplace.as<double>()[t],
                        precision == Precision::f32 ? 5e-6 : 1e-13);
            EXPECT_EQ(still.as<double>()[70 + t], 0);
        }
    }
}

TEST_P(HostSums, do_not_change_where_everything_is_moved) {
    const auto moved = [](const PointsPtr& points) {
        auto copy = std::make_shared<PointSet>(*points);
        // A power of two apart, and coordinates of few digits: nothing is rounded by the move.
        for (double& x : copy->x) x += 4096;
        for (double& y : copy->y) y -= 512;
        return copy;
    };
    const auto coarse = [](PointsPtr points) {
        auto copy = std::make_shared<PointSet>(*points);
        for (auto* axis : {&copy->x, &copy->y, &copy->z})
            for (double& v : *axis) v = std::round(v * 0x1p20) * 0x1p-20;
        return copy;
    };
    const PointsPtr sources = coarse(random_points(40, 7)), targets = coarse(random_points(30, 8));
    for (const Kernel kernel : kernels) {
        const SumSettings settings = settings_of(kernel, Precision::f32, 0.2);
        const Array here = sums({sources, targets, settings});
        const Array there = sums({moved(sources), moved(targets), settings});
        for (std::size_t i = 0; i < here.size(); ++i)
            EXPECT_NEAR(there.as<double>()[i], here.as<double>()[i], 1e-12) << i;
    }
}

TEST_P(HostSums, of_the_published_problem_have_the_published_size) {
    const std::string data = reference_data("particles_50.csv");
    Progress progress;
    const auto sources =
        std::make_shared<const PointSet>(io::read_points(data, io::Weights::wanted, progress).points);
    for (const Precision precision : {Precision::f32, Precision::f64}) {
        const SumProblem problem(sources, PlaneGrid{400, 0, 1, 0, 0, 0}, settings_of(Kernel::rbf, precision));
        sums(problem);
        const std::pair<const char*, double> expected[] = {{"potential_xy", 10260.66612239914},
                                                           {"potential_xz", 40813.4875710929},
                                                           {"potential_yz", 17363.491721525763}};
        for (const auto& [name, value] : expected) {
            double sum = 0;
            for (const double v : run.result.at(name).values.to_doubles()) sum += v;
            EXPECT_NEAR(sum / value, 1, precision == Precision::f64 ? 1e-12 : 1e-6) << name;
        }
        const SumErrors errors =
            compare_sums(problem, sums_of(run.result, problem), Sample::all(problem.n_targets()), progress);
        EXPECT_LE(precision == Precision::f32 ? errors.absolute : errors.relative,
                  precision == Precision::f32 ? 2e-6 : 1e-12);
        EXPECT_EQ(errors.distinct, problem.n_targets());
    }
}

INSTANTIATE_TEST_SUITE_P(Variants, HostSums, ::testing::Values("host.reference", "host.vector"),
                         [](const auto& row) { return std::string(row.param).substr(5); });

TEST(ParticleCheck, fails_where_one_value_is_off_and_names_the_target) {
    const SumProblem problem(random_points(20, 1), random_points(50, 2),
                             settings_of(Kernel::rbf, Precision::f32, 0.3));
    Progress progress;
    ks::Run run = host_sum(problem, "host.vector");
    EXPECT_EQ(check_sums(problem, run, CheckMode::full, progress).state, Verdict::State::pass);
    run.result.datasets[0].values.as<float>()[31] += 1e-3f;
    const Verdict verdict = check_sums(problem, run, CheckMode::full, progress);
    EXPECT_EQ(verdict.state, Verdict::State::fail);
    EXPECT_NE(verdict.where.find("target 31"), std::string::npos) << verdict.where;
    EXPECT_EQ(verdict.place, (ks::VerdictPlace{{"target", 31}}));
    run.result.datasets[0].values.as<float>()[31] = NAN;
    EXPECT_EQ(check_sums(problem, run, CheckMode::full, progress).state, Verdict::State::fail);
    run.result.datasets.clear();
    EXPECT_EQ(check_sums(problem, run, CheckMode::full, progress).state, Verdict::State::fail);
}

TEST(ParticleCheck, passes_terms_below_the_range_of_single_precision_and_fails_wrong_ones_above_it) {
    for (const double weight : {1.0, 1e-10, 1.6e-19, 1e-20, 1e-25, 1e-30, 1e-37}) {
        std::vector<std::array<double, 4>> targets;
        for (int i = 0; i < 60; ++i) targets.push_back({0.02 * i * i, 0, 0, 0});
        // exp(-r^2 / 2) passes through all numbers down to 0 from the first to the last target.
        const SumProblem problem(points_of({{0, 0, 0, weight}, {1, 1, 1, weight}}), points_of(targets),
                                 settings_of(Kernel::rbf, Precision::f32, 1));
        Progress progress;
        ks::Run run = host_sum(problem, "host.vector");
        const Verdict verdict = check_sums(problem, run, CheckMode::full, progress);
        EXPECT_EQ(verdict.state, Verdict::State::pass) << weight << ": " << verdict.text;
        if (weight < 1e-30) continue;  // a tenth of its sums is below the range
        run.result.datasets[0].values.as<float>()[3] *= 1.001f;
        EXPECT_EQ(check_sums(problem, run, CheckMode::full, progress).state, Verdict::State::fail) << weight;
    }
}

TEST(ParticleCheck, fails_where_the_number_of_skipped_pairs_is_wrong) {
    const SumProblem problem(points_of({{0.1, 0.2, 0.3, 2}, {0.7, 0.2, 0.3, 5}}),
                             points_of({{0.1, 0.2, 0.3, 0}, {0.4, 0.2, 0.3, 0}}),
                             settings_of(Kernel::laplace));
    ks::Run run = host_sum(problem, "host.vector");
    Progress progress;
    EXPECT_EQ(check_sums(problem, run, CheckMode::full, progress).state, Verdict::State::pass);
    run.result.facts["skipped_pairs"] = 0;
    const Verdict verdict = check_sums(problem, run, CheckMode::full, progress);
    EXPECT_EQ(verdict.state, Verdict::State::fail);
    EXPECT_EQ(verdict.text,
              "fail: the sums are right, but 0 pairs at r = 0 are reported as skipped, expected 1");
}

TEST(ParticleCheck, advises_double_only_where_rounding_can_make_such_an_error) {
    const SumProblem problem(random_points(20, 1), random_points(50, 2),
                             settings_of(Kernel::rbf, Precision::f32, 0.3));
    Progress progress;
    ks::Run run = host_sum(problem, "host.vector");
    run.result.datasets[0].values.as<float>()[31] *= 1.5f;
    const Verdict bug = check_sums(problem, run, CheckMode::full, progress);
    EXPECT_EQ(bug.state, Verdict::State::fail);
    EXPECT_NE(
        bug.text.find("; relative to the sum of the magnitudes of the terms and their slopes the largest "
                      "error is 0."),
        std::string::npos)
        << bug.text;
    EXPECT_EQ(bug.text.find("f64"), std::string::npos) << bug.text;
    // Sums that cancel are lost in single precision, and those that it cannot hold.
    const SumProblem cancelling(points_of({{0.5, 0.5, 0.5, 1}, {0.5, 0.5, 0.500001, -1}}),
                                random_points(10, 2), settings_of(Kernel::rbf, Precision::f32, 0.3));
    const ks::Run lost = host_sum(cancelling, "host.vector");
    const Verdict rounding = check_sums(cancelling, lost, CheckMode::full, progress);
    EXPECT_EQ(rounding.state, Verdict::State::fail);
    EXPECT_TRUE(rounding.text.ends_with("; choose f64")) << rounding.text;
}

TEST(ParticleCheck, of_an_infinite_sum_says_so_and_gives_no_share_of_it) {
    const SumProblem problem(random_points(20, 1), random_points(50, 2),
                             settings_of(Kernel::rbf, Precision::f32, 0.3));
    Progress progress;
    ks::Run run = host_sum(problem, "host.vector");
    run.result.datasets[0].values.as<float>()[31] = INFINITY;
    const Verdict verdict = check_sums(problem, run, CheckMode::full, progress);
    EXPECT_EQ(verdict.state, Verdict::State::fail);
    EXPECT_TRUE(verdict.text.ends_with("; a sum is infinite there")) << verdict.text;
    EXPECT_EQ(verdict.text.find("inf of"), std::string::npos) << verdict.text;
}

TEST(ParticleCheck, of_sums_that_are_0_gives_no_share_of_them) {
    const SumProblem problem(points_of({{0.5, 0.5, 0.5, 1}, {0.5, 0.5, 0.5, -1}}), random_points(10, 2),
                             settings_of(Kernel::rbf, Precision::f32, 0.3));
    Progress progress;
    ks::Run run = host_sum(problem, "host.vector");
    run.result.datasets[0].values.as<float>()[3] = 1e-3f;
    const Verdict verdict = check_sums(problem, run, CheckMode::full, progress);
    EXPECT_EQ(verdict.state, Verdict::State::fail);
    EXPECT_TRUE(verdict.text.ends_with("; all exact sums are 0 there")) << verdict.text;
    EXPECT_EQ(verdict.text.find("inf of"), std::string::npos) << verdict.text;
}

TEST(ParticleCheck, of_a_sample_says_how_many_targets_were_compared) {
    const SumProblem problem(random_points(100000, 1), random_points(4800, 2), settings_of(Kernel::laplace));
    Progress progress;
    const ks::Run run = host_sum(problem, "host.vector");
    const Verdict verdict = check_sums(problem, run, CheckMode::sample, progress);
    EXPECT_EQ(verdict.state, Verdict::State::sampled);
    EXPECT_GE(verdict.samples, 200u);
    EXPECT_LT(verdict.samples, 4800u);
    // The last target is part of a sample, and NaN is found at any target.
    for (const std::size_t target : {problem.n_targets() - 1, std::size_t{777}}) {
        ks::Run wrong = run;
        const auto sums = std::ranges::find(wrong.result.datasets, "potential", &Dataset::name);
        ASSERT_NE(sums, wrong.result.datasets.end());
        sums->values.as<double>()[target] = std::nan("");
        const Verdict found = check_sums(problem, wrong, CheckMode::sample, progress);
        EXPECT_EQ(found.state, Verdict::State::fail);
        EXPECT_EQ(found.text.find("fail: 1 of "), 0u) << found.text;
    }
}

TEST(ParticleProblem, what_makes_no_sense_is_refused) {
    const PointsPtr some = random_points(3, 1), none = std::make_shared<PointSet>();
    const auto refused = [](const PointsPtr& sources, const PointsPtr& targets, SumSettings settings) {
        return input_error([&] { SumProblem(sources, targets, settings); });
    };
    EXPECT_TRUE(contains(refused(none, some, {}), {"sources", "none"}));
    EXPECT_TRUE(contains(refused(some, none, {}), {"targets", "none"}));
    EXPECT_TRUE(contains(refused(some, some, settings_of(Kernel::rbf, Precision::f64, 0)),
                         {"sigma", "above 0", "0"}));
    EXPECT_TRUE(contains(refused(some, some, settings_of(Kernel::rbf, Precision::f64, -1)), {"sigma", "-1"}));
    EXPECT_TRUE(
        contains(refused(some, some, settings_of(Kernel::rbf, Precision::f32, 1e-30)), {"sigma", "1e-30"}));
    EXPECT_TRUE(contains(input_error([&] {
                             SumProblem(some, PlaneGrid{10, 1, 0, 0, 0, 0}, {});
                         }),
                         {"plane_low"}));
}

TEST(ParticleProblem, a_phase_that_floats_lose_is_told) {
    const PointsPtr some = random_points(3, 1);
    const auto warnings = [&](Precision precision, double k) {
        return SumProblem(some, some, settings_of(Kernel::helmholtz, precision, 1, k)).warnings;
    };
    EXPECT_TRUE(warnings(Precision::f32, 100).empty());
    ASSERT_EQ(warnings(Precision::f32, -1e6).size(), 1u);
    EXPECT_TRUE(contains(warnings(Precision::f32, -1e6)[0], {"k r", "f32", "f64"}));
    EXPECT_TRUE(warnings(Precision::f64, 1e6).empty());
}

TEST(ParticleGenerator, makes_the_shapes_that_it_names) {
    const PointSet lattice = make_points({27, "lattice", "ones", 1});
    EXPECT_EQ(lattice.z[1], 0.5);
    EXPECT_EQ(lattice.x[26], 1);
    const PointSet sphere = make_points({500, "sphere", "complex", 1});
    double mean = 0;
    for (std::size_t i = 0; i < 500; ++i) {
        EXPECT_NEAR(std::hypot(sphere.x[i] - 0.5, sphere.y[i] - 0.5, sphere.z[i] - 0.5), 0.5, 1e-12);
        mean += sphere.x[i] / 500;
    }
    EXPECT_NEAR(mean, 0.5, 0.05);
    EXPECT_TRUE(sphere.is_complex());
    EXPECT_EQ(make_points({40, "random", "uniform", 7}), make_points({40, "random", "uniform", 7}));
    EXPECT_NE(make_points({40, "random", "uniform", 7}), make_points({40, "random", "uniform", 8}));
    // Further vectors of weights leave the first as it was.
    PointSet three = make_points({40, "random", "complex", 7, 3});
    ASSERT_EQ(three.n_vectors(), 3u);
    EXPECT_EQ(three.im(2).size(), 40u);
    EXPECT_NE(three.re(1), three.re(2));
    three.more.clear();
    EXPECT_EQ(three, make_points({40, "random", "complex", 7}));
}

}  // namespace

}  // namespace particle_sums_test
