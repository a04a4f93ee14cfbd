// Gradients and several vectors of weights of the host variants, against the definition of the sums: each
// vector by itself in long double, gradients as differences of such sums.

#include <gtest/gtest.h>

#include "tests/core/io/io_fixture.h"
#include "tests/core/particles/particle_fixture.h"

using namespace ks;
using namespace ks::particles;
using namespace ks::tests;

namespace {

constexpr Kernel kernels[] = {Kernel::rbf, Kernel::laplace, Kernel::helmholtz};

SumSettings with_gradient(SumSettings settings) {
    settings.gradient = true;
    return settings;
}

class HostRows : public ::testing::TestWithParam<const char*> {
  protected:
    /// Row of sums_of() by row. @param relative to the size of f, or of its gradient
    void expect_defined(const SumProblem& problem, double relative, double slope_relative) {
        run = host_sum(problem, GetParam());
        const Array found = sums_of(run.result, problem);
        const auto values = found.as<double>();
        const std::size_t targets = problem.n_targets(), parts = problem.parts();
        ASSERT_EQ(found.shape(), (std::vector<std::size_t>{problem.n_rows(), targets}));
        for (std::size_t t = 0; t < targets; ++t)
            for (std::size_t v = 0, row = 0; v < problem.n_vectors(); ++v) {
                std::vector<std::complex<long double>> expected{defined_sum(problem, problem.target(t), v)};
                double length = 0;
                for (std::size_t axis = 0; axis + 1 < problem.quantities(); ++axis) {
                    expected.push_back(defined_slope(problem, problem.target(t), axis, v));
                    length = std::max(length, static_cast<double>(std::abs(expected.back())));
                }
                for (std::size_t q = 0; q < expected.size(); ++q, row += parts) {
                    const double size = q > 0 ? length : static_cast<double>(std::abs(expected[0]));
                    const double error = (q > 0 ? slope_relative : relative) * std::max(1e-2, size);
                    ASSERT_NEAR(values[row * targets + t], static_cast<double>(expected[q].real()), error)
                        << "vector " << v << ", quantity " << q << ", target " << t;
                    if (parts == 2) {
                        ASSERT_NEAR(values[(row + 1) * targets + t], static_cast<double>(expected[q].imag()),
                                    error)
                            << "vector " << v << ", quantity " << q << ", target " << t;
                    }
                }
            }
    }
    ks::Run run;
};

TEST_P(HostRows, of_several_vectors_are_those_of_each_by_itself) {
    for (const Kernel kernel : kernels)
        for (const bool complex_weights : {false, true})
            for (const std::size_t vectors : {1, 2, 3, 5})
                for (const auto& [targets, sources] :
                     {std::pair<std::size_t, std::size_t>{1, 1}, {17, 129}, {259, 31}})
                    expect_defined(
                        SumProblem(with_vectors(random_points(sources, 1, complex_weights), vectors,
                                                complex_weights),
                                   random_points(targets, 2), settings_of(kernel, Precision::f64, 0.3)),
                        1e-12, 0);
}

TEST_P(HostRows, of_gradients_are_the_differences_of_the_sums) {
    for (const Kernel kernel : kernels)
        for (const bool complex_weights : {false, true})
            for (const std::size_t vectors : {1, 3})
                // Away from the sources, where differences of 1/r are good.
                expect_defined(
                    SumProblem(with_vectors(random_points(33, 1, complex_weights), vectors, complex_weights),
                               random_points(37, 2, false, 1.3, 2),
                               with_gradient(settings_of(kernel, Precision::f64, 0.6))),
                    1e-12, 1e-9);
    expect_defined(SumProblem(random_points(40, 3), random_points(50, 4),
                              with_gradient(settings_of(Kernel::rbf, Precision::f64, 0.4))),
                   1e-12, 1e-9);
}

TEST_P(HostRows, in_float_are_near_the_reference) {
    for (const Kernel kernel : kernels)
        for (const bool complex_weights : {false, true})
            for (const std::size_t vectors : {1, 2, 5})
                for (const std::size_t targets : {1, 255, 513}) {
                    const SumProblem problem(
                        with_vectors(random_points(131, 1, complex_weights), vectors, complex_weights),
                        random_points(targets, 2), with_gradient(settings_of(kernel, Precision::f32, 0.3)));
                    Progress progress;
                    const SumErrors errors =
                        compare_sums(problem, sums_of(host_sum(problem, GetParam()).result, problem),
                                     Sample::all(problem.n_targets()), progress);
                    EXPECT_LE(errors.scaled, 1e-6) << "row " << errors.stem << ", target " << errors.worst;
                }
}

TEST_P(HostRows, of_gradients_have_nothing_of_coincident_points) {
    const PointsPtr sources = points_of({{0.1, 0.2, 0.3, 2}, {0.7, 0.2, 0.3, 5}});
    for (const Precision precision : {Precision::f32, Precision::f64})
        for (const Kernel kernel : kernels) {
            const SumProblem problem(sources, points_of({{0.1, 0.2, 0.3, 0}}),
                                     with_gradient(settings_of(kernel, precision, 0.6, 0)));
            const ks::Run all = host_sum(problem, GetParam());
            const Array found = sums_of(all.result, problem);
            const double r = 0.6,
                         g = kernel == Kernel::rbf ? 5 * std::exp(-0.5) : 5 / (4 * std::numbers::pi * r);
            // Towards the source at larger x: -(x - y) is 0.6.
            const double slope = kernel == Kernel::rbf ? g * r / (0.6 * 0.6) : g / r;
            EXPECT_NEAR(found.as<double>()[problem.parts()], slope, 2e-5);
            for (std::size_t row = 2 * problem.parts(); row < problem.n_rows(); ++row)
                EXPECT_EQ(found.as<double>()[row], 0) << row;
            EXPECT_EQ(all.result.facts.at("skipped_pairs"), kernel == Kernel::rbf ? 0 : 1);
        }
}

TEST_P(HostRows, far_from_all_sources_are_as_small_as_the_precision_allows) {
    for (const Precision precision : {Precision::f32, Precision::f64}) {
        // 2^-126 is met at 13 sigma from the source, and 2^-1022 at 38.
        const SumProblem problem(random_points(20, 1), random_points(300, 2, false, -4, 5),
                                 with_gradient(settings_of(Kernel::rbf, precision, 0.1)));
        Progress progress;
        const SumErrors errors = compare_sums(problem, sums_of(host_sum(problem, GetParam()).result, problem),
                                              Sample::all(problem.n_targets()), progress);
        EXPECT_LE(errors.scaled, precision == Precision::f32 ? 1e-6 : 1e-13) << errors.stem;
    }
}

TEST_P(HostRows, of_nearly_coincident_points_stay_finite_in_float) {
    // 1 / r^3 of this distance is no float.
    const SumProblem problem(points_of({{0, 0, 0, 1}, {-1, -1, -1, 0}}),
                             points_of({{1e-15, 0, 0, 0}, {1, 1, 1, 0}}),
                             with_gradient(settings_of(Kernel::laplace, Precision::f32)));
    const Array found = sums_of(host_sum(problem, GetParam()).result, problem);
    EXPECT_NEAR(found.as<double>()[2] / (-1e30 / (4 * std::numbers::pi)), 1, 1e-5);
}

TEST_P(HostRows, have_the_names_that_are_agreed_on) {
    const PointsPtr sources = with_vectors(random_points(3, 1), 2, false);
    const auto names = [&](const SumProblem& problem) {
        std::string all;
        for (const Dataset& dataset : host_sum(problem, GetParam()).result.datasets)
            if (dataset.kind != DataKind::axis) all += dataset.name + " ";
        return all;
    };
    EXPECT_EQ(names({sources, random_points(2, 2), with_gradient(settings_of(Kernel::rbf))}),
              "potential gradient_x gradient_y gradient_z "
              "potential_2 gradient_2_x gradient_2_y gradient_2_z ");
    EXPECT_EQ(names({sources, PlaneGrid{2, 0, 1, 0, 0, 0}, settings_of(Kernel::helmholtz)}),
              "potential_xy_re potential_xy_im potential_xz_re potential_xz_im potential_yz_re "
              "potential_yz_im potential_2_xy_re potential_2_xy_im potential_2_xz_re potential_2_xz_im "
              "potential_2_yz_re potential_2_yz_im ");
    const std::string planes =
        names({random_points(3, 1), PlaneGrid{2, 0, 1, 0, 0, 0}, with_gradient(settings_of(Kernel::rbf))});
    EXPECT_TRUE(planes.starts_with("potential_xy potential_xz potential_yz gradient_x_xy ")) << planes;
}

INSTANTIATE_TEST_SUITE_P(Variants, HostRows, ::testing::Values("host.reference", "host.vector"),
                         [](const auto& row) {
                             return std::string(row.param) == "host.vector" ? "vector" : "reference";
                         });

}  // namespace
