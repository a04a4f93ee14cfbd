// Fits whose results follow by hand: means, lines, and curves without noise.

#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "core/fit/least_squares.h"

namespace least_squares_test {

using ks::fit::Fit;
using ks::fit::Parameter;
using ks::fit::PowerLaw;
using ks::fit::Reason;
using ks::fit::State;
using ks::fit::Task;
using Values = std::vector<double>;
constexpr double nan = std::numeric_limits<double>::quiet_NaN();

double constant(double, std::span<const double> p, std::span<double> d) {
    d[0] = 1;
    return p[0];
}
double line(double x, std::span<const double> p, std::span<double> d) {
    d[0] = 1;
    d[1] = x;
    return p[0] + p[1] * x;
}
/// Both parameters do the same.
double sum(double, std::span<const double> p, std::span<double> d) {
    d[0] = d[1] = 1;
    return p[0] + p[1];
}
double exponential(double x, std::span<const double> p, std::span<double> d) {
    const double e = std::exp(-p[1] * x);
    d[0] = e;
    d[1] = -x * p[0] * e;
    return p[0] * e;
}

TEST(LeastSquares, a_constant_is_the_weighted_mean_with_its_error) {
    const Values x{1, 2, 3}, y{10, 14, 12}, error{1, 2, 2};
    const Fit fit =
        ks::fit::solved({.function = constant, .parameters = {{.name = "a"}}, .points = {x, y, error}});
    ASSERT_EQ(fit.status.text(), "converged");
    // Weights 1, 1/4, 1/4: (10 + 3.5 + 3) / 1.5 = 11, variance 1 / 1.5, chi2 = 1 + 9/4 + 1/4 = 3.5.
    EXPECT_NEAR(fit.values[0], 11, 1e-9);
    EXPECT_NEAR(fit.errors[0], std::sqrt(1 / 1.5), 1e-9);
    EXPECT_NEAR(fit.covariance[0], 1 / 1.5, 1e-9);
    EXPECT_NEAR(fit.chi2_reduced, 1.75, 1e-9);
    EXPECT_EQ(fit.degrees_of_freedom, 2U);
    EXPECT_NEAR(fit.aic, 5.5, 1e-9);
    EXPECT_NEAR(fit.residuals[1], 1.5, 1e-9);
}

TEST(LeastSquares, a_line_has_the_errors_of_linear_regression) {
    const Values x{-1, 0, 1}, y{1, 2, 6}, error{0.5, 0.5, 0.5};
    const Fit fit = ks::fit::solved(
        {.function = line, .parameters = {{.name = "a"}, {.name = "b"}}, .points = {x, y, error}});
    ASSERT_EQ(fit.status.state, State::converged);
    EXPECT_NEAR(fit.values[0], 3, 1e-8);
    EXPECT_NEAR(fit.values[1], 2.5, 1e-8);
    EXPECT_NEAR(fit.errors[0], 0.5 / std::sqrt(3), 1e-9);
    EXPECT_NEAR(fit.errors[1], 0.5 / std::sqrt(2), 1e-9);
    EXPECT_NEAR(fit.covariance[1], 0, 1e-9);
}

TEST(LeastSquares, points_without_a_value_or_an_error_are_left_out_and_counted) {
    const double infinite = std::numeric_limits<double>::infinity();
    const Values x{1, 2, 3, 4, 5, 6, 7}, y{10, nan, 12, 50, 60, 70, infinite}, error{1, 1, 1, 0, -1, nan, 1};
    const Fit fit =
        ks::fit::solved({.function = constant, .parameters = {{.name = "a"}}, .points = {x, y, error}});
    ASSERT_EQ(fit.status.state, State::converged);
    EXPECT_NEAR(fit.values[0], 11, 1e-9);
    EXPECT_EQ(fit.points, 2U);
    EXPECT_EQ(fit.left_out, 5U);
    EXPECT_TRUE(std::isnan(fit.residuals[3]));
}

TEST(LeastSquares, as_few_points_as_parameters_are_refused) {
    const Values x{1, 2}, y{1, 2}, error{1, 1};
    const Fit fit = ks::fit::solved(
        {.function = line, .parameters = {{.name = "a"}, {.name = "b"}}, .points = {x, y, error}});
    EXPECT_EQ(fit.status.text(), "too few points: 2 for 2 parameters");
    const Fit none = ks::fit::solved({.function = constant, .parameters = {{.name = "a"}}, .points = {}});
    EXPECT_EQ(none.status.text(), "too few points: 0 for 1 parameters");
}

TEST(LeastSquares, a_fixed_parameter_keeps_its_value_and_has_no_error) {
    const Values x{-1, 0, 1}, y{1, 2, 6}, error{1, 1, 1};
    const Fit fit = ks::fit::solved({.function = line,
                                     .parameters = {{.name = "a", .start = 1, .fixed = true}, {.name = "b"}},
                                     .points = {x, y, error}});
    ASSERT_EQ(fit.status.state, State::converged);
    EXPECT_EQ(fit.values[0], 1);
    EXPECT_NEAR(fit.values[1], 2.5, 1e-8);
    EXPECT_TRUE(std::isnan(fit.errors[0]));
    EXPECT_EQ(fit.covariance[0], 0);
}

TEST(LeastSquares, parameters_that_do_the_same_are_not_determined) {
    const Values x{1, 2, 3, 4}, y{1, 2, 3, 3}, error{1, 1, 1, 1};
    const Fit fit = ks::fit::solved(
        {.function = sum, .parameters = {{.name = "a"}, {.name = "b"}}, .points = {x, y, error}});
    EXPECT_EQ(fit.status.text(), "not determined: b (the covariance is singular)");
}

TEST(LeastSquares, a_value_outside_its_bounds_ends_at_the_bound_and_is_not_determined) {
    const Values x{1, 2, 3}, y{-2, -2.1, -1.9}, error{0.1, 0.1, 0.1};
    for (const Parameter& bounded : {Parameter{.name = "a", .start = 1, .lower = 0},
                                     Parameter{.name = "a", .start = 1, .lower = 0, .upper = 5},
                                     Parameter{.name = "a", .start = -4, .upper = -3}}) {
        const Fit fit =
            ks::fit::solved({.function = constant, .parameters = {bounded}, .points = {x, y, error}});
        EXPECT_EQ(fit.status.text(), "not determined: a (at its bound)");
    }
}

TEST(LeastSquares, bounds_that_hold_do_not_change_the_fit) {
    const Values x{1, 2, 3, 4}, y{5, 3.1, 1.8, 1.2}, error{0.1, 0.1, 0.1, 0.1};
    const auto fitted = [&](const Parameter& rate) {
        return ks::fit::solved(
            {.function = exponential, .parameters = {{.name = "a"}, rate}, .points = {x, y, error}});
    };
    const Fit open = fitted({.name = "k"}), half = fitted({.name = "k", .lower = 0}),
              closed = fitted({.name = "k", .lower = 0, .upper = 4});
    ASSERT_EQ(open.status.text(), "converged");
    for (const Fit* const one : {&half, &closed}) {
        ASSERT_EQ(one->status.text(), "converged");
        for (std::size_t k = 0; k < 2; ++k) {
            EXPECT_NEAR(one->values[k], open.values[k], 1e-6);
            EXPECT_NEAR(one->errors[k], open.errors[k], 1e-6);
        }
    }
}

TEST(LeastSquares, a_parameter_that_must_be_significant_is_compared_with_its_error) {
    const Values x{1, 2}, error{1, 1};
    const auto status = [&](double level, double significance) {
        const Values y{level, level};
        return ks::fit::solved({.function = constant,
                                .parameters = {{.name = "beta", .significance = significance}},
                                .points = {x, y, error}})
            .status.text();
    };
    // The error is 1 / sqrt(2).
    EXPECT_EQ(status(1.5, 2), "converged");
    EXPECT_EQ(status(1.3, 2), "not determined: beta (its error is too large to tell it from 0)");
}

TEST(LeastSquares, a_parameter_without_effect_is_not_determined) {
    // Its error would be 1e10.
    const auto hardly = [](double x, std::span<const double> p, std::span<double> d) {
        d[0] = 1;
        d[1] = 1e-12 * x;
        return p[0] + 1e-12 * p[1] * x;
    };
    const Values x{1, 2, 3, 4}, y{1, 1, 1, 1}, error{0.01, 0.01, 0.01, 0.01};
    const Fit fit = ks::fit::solved(
        {.function = hardly, .parameters = {{.name = "a"}, {.name = "b"}}, .points = {x, y, error}});
    EXPECT_EQ(fit.status.text(), "not determined: b (the curve does not depend on it)");
}

TEST(LeastSquares, groups_give_the_error_of_their_mean) {
    const Values x{1, 2}, y{3, 3}, error{0.01, 0.01};
    Task task{.function = constant, .parameters = {{.name = "a"}}, .points = {x, y, error}};
    // Correlated points: each group is shifted as a whole. Means 1, 3, 5: standard deviation 2, so 2 /
    // sqrt(3).
    task.groups = {{1, 1}, {3, 3}, {5, 5}};
    const Fit fit = ks::fit::solved(task);
    ASSERT_EQ(fit.status.state, State::converged);
    EXPECT_EQ(fit.groups, 3U);
    EXPECT_NEAR(fit.errors[0], 2 / std::sqrt(3), 1e-9);
    // A group that is not finite is ignored: means 1 and 3, standard deviation sqrt(2), error 1.
    task.groups[2][1] = nan;
    const Fit two = ks::fit::solved(task);
    EXPECT_EQ(two.groups, 2U);
    EXPECT_NEAR(two.errors[0], 1, 1e-9);
    task.groups = {{1, 1}};
    const Fit one = ks::fit::solved(task);
    EXPECT_EQ(one.groups, 0U);
    EXPECT_NEAR(one.errors[0], 0.01 / std::sqrt(2), 1e-9);
}

TEST(LeastSquares, a_function_that_is_not_finite_at_the_start_does_not_converge) {
    const Values x{1, 2, 3}, y{1, 2, 3}, error{1, 1, 1};
    const auto broken = [](double, std::span<const double>, std::span<double> d) {
        d[0] = nan;
        return nan;
    };
    EXPECT_EQ(ks::fit::solved({.function = broken, .parameters = {{.name = "a"}}, .points = {x, y, error}})
                  .status.text(),
              "did not converge");
}

TEST(PowerLaw, of_two_decades_is_found_with_its_errors) {
    // y = 5 x^-2 with relative errors of 1 %: x = 0.1, 1, 10 give an exponent with error 0.01 / sqrt(2
    // ln(10)^2).
    const Values x{0.1, 1, 10}, y{500, 5, 0.05}, error{5, 0.05, 0.0005};
    const std::optional<PowerLaw> law = ks::fit::power_law({x, y, error});
    ASSERT_TRUE(law.has_value());
    EXPECT_NEAR(law->exponent, -2, 1e-12);
    EXPECT_NEAR(law->exponent_error, 0.01 / (std::sqrt(2.0) * std::log(10.0)), 1e-12);
    EXPECT_NEAR(law->pivot, 1, 1e-12);
    EXPECT_NEAR(law->amplitude, 5, 1e-12);
    EXPECT_NEAR(law->amplitude_error, 0.05 / std::sqrt(3.0), 1e-12);
    EXPECT_NEAR(law->chi2_reduced, 0, 1e-9);
}

TEST(PowerLaw, leaves_out_what_has_no_logarithm) {
    const Values x{-1, 0, 1, 2, 4}, y{3, 3, 3, 6, -1}, error{1, 1, 1, 1, 1};
    const std::optional<PowerLaw> law = ks::fit::power_law({x, y, error});
    ASSERT_TRUE(law.has_value());
    EXPECT_EQ(law->points, 2U);
    EXPECT_NEAR(law->exponent, 1, 1e-12);
    const Values one{1}, two{2}, three{0.5};
    EXPECT_FALSE(ks::fit::power_law({one, two, three}).has_value());
    const std::optional<PowerLaw> fixed = ks::fit::power_law({one, two, three}, 2.0);
    ASSERT_TRUE(fixed.has_value());
    EXPECT_NEAR(fixed->amplitude, 2, 1e-12);
    EXPECT_NEAR(fixed->amplitude_error, 0.5, 1e-12);
}

}  // namespace least_squares_test
