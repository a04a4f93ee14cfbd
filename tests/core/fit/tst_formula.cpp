#include <array>
#include <cmath>
#include <functional>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "core/base/error.h"
#include "core/fit/formula.h"

namespace formula_test {

using ks::fit::Formula;

double value(const std::string& text, double t, std::vector<double> parameters) {
    std::vector<double> gradient(parameters.size());
    return Formula(text).at(t, parameters, gradient);
}
std::string refusal(const std::string& text) {
    try {
        const Formula formula(text);
    } catch (const ks::Error& error) {
        EXPECT_EQ(error.kind(), ks::ErrorKind::input);
        return error.message();
    }
    return "accepted";
}

TEST(Formula, follows_the_usual_precedence) {
    EXPECT_EQ(value("a + 2 * t", 3, {1}), 7);
    EXPECT_EQ(value("a - t - 1", 3, {10}), 6);
    EXPECT_EQ(value("a / t / 2", 3, {12}), 2);
    EXPECT_EQ(value("-t^2 + a", 3, {0}), -9);
    EXPECT_EQ(value("a * 2^3^t", 2, {1}), 512);
    EXPECT_EQ(value("a * 2^-t", 2, {1}), 0.25);
    EXPECT_EQ(value("(a + t) * -2", 3, {1}), -8);
    EXPECT_EQ(value("1.5e1 * a + 0 * t", 3, {1}), 15);
}

TEST(Formula, names_are_parameters_in_the_order_in_which_they_occur) {
    const Formula formula("b + beta * exp(-2 * (gamma_1 * t)^b)");
    EXPECT_EQ(formula.parameters(), (std::vector<std::string>{"b", "beta", "gamma_1"}));
}

TEST(Formula, has_the_functions_of_the_library) {
    EXPECT_DOUBLE_EQ(value("exp(a * t)", 2, {0.5}), std::exp(1.0));
    EXPECT_DOUBLE_EQ(value("log(a * t)", 2, {0.5}), 0);
    EXPECT_DOUBLE_EQ(value("sqrt(a * t)", 2, {8}), 4);
    EXPECT_DOUBLE_EQ(value("pow(t, a)", 2, {10}), 1024);
    EXPECT_DOUBLE_EQ(value("abs(a * t)", 2, {-3}), 6);
    EXPECT_DOUBLE_EQ(value("sin(a * t) + cos(a * t)", 2, {0}), 1);
}

TEST(Formula, derivatives_agree_with_differences) {
    const std::array<std::string, 6> texts{
        "a + b * exp(-2 * pow(c * t, d))", "a * t^b / (c + d * t)",       "sqrt(a + b * t) * log(c + d * t)",
        "sin(a * t) * cos(b * t) - c / d", "-abs(a - b * t) + c^(d * t)", "pow(a, b) * pow(t, c) - d"};
    for (const std::string& text : texts) {
        const Formula formula(text);
        ASSERT_EQ(formula.parameters().size(), 4U) << text;
        const std::vector<double> at{0.7, 1.3, 0.4, 0.9};
        std::vector<double> gradient(4), unused(4);
        formula.at(1.7, at, gradient);
        for (std::size_t k = 0; k < 4; ++k) {
            constexpr double step = 1e-5;
            std::vector<double> above = at, below = at;
            above[k] += step;
            below[k] -= step;
            const double difference =
                (formula.at(1.7, above, unused) - formula.at(1.7, below, unused)) / (2 * step);
            EXPECT_NEAR(gradient[k], difference, 1e-8) << text << ", " << formula.parameters()[k];
        }
    }
}

TEST(Formula, a_power_of_zero_has_finite_derivatives) {
    const Formula formula("a * t^b");
    std::vector<double> gradient(2);
    EXPECT_EQ(formula.at(0, std::vector<double>{2, 1.5}, gradient), 0);
    EXPECT_EQ(gradient[0], 0);
    EXPECT_EQ(gradient[1], 0);
}

TEST(Formula, what_it_is_not_is_refused_with_the_place) {
    EXPECT_EQ(refusal("a + "), "expected a number, a name or '(' at position 5 of a + , found its end");
    EXPECT_EQ(refusal("a * (t + 1"), "expected ')' at position 11 of a * (t + 1, found its end");
    EXPECT_EQ(refusal("a t"), "expected an operator or the end at position 3 of a t, found 't'");
    EXPECT_EQ(refusal("a + tan(t)"),
              "expected a function or an operator at position 5 of a + tan(t), found 'tan(t)'");
    EXPECT_EQ(refusal("pow(t) + a"), "expected ',' at position 6 of pow(t) + a, found ') + a'");
    EXPECT_EQ(refusal("a + exp * t"), "expected '(' after exp at position 9 of a + exp * t, found '* t'");
    EXPECT_EQ(refusal("a + 1"), "the formula a + 1 does not contain t");
    EXPECT_EQ(refusal("2 * t"), "the formula 2 * t has no parameters");
    EXPECT_EQ(refusal("t + a1+a2+a3+a4+a5+a6+a7+a8+a9+b1+b2+b3+b4"), "a formula has at most 12 parameters");
    EXPECT_EQ(refusal("a * t + \"x\""),
              "expected a number, a name or '(' at position 9 of a * t + \"x\", found '\"x\"'");
    EXPECT_EQ(refusal(std::string(5000, '(') + "a*t"), "the formula is nested too deeply");
    EXPECT_EQ(refusal("a*t" + std::string(5000, '-')), "the formula is nested too deeply");
}

}  // namespace formula_test
