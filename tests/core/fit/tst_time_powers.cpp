// The powers of time that formulas of the user give their parameters.

#include <optional>
#include <vector>

#include <gtest/gtest.h>

#include "core/fit/g2_models.h"
#include "core/fit/time_powers.h"

namespace time_powers_test {

using Powers = std::vector<std::optional<int>>;

/// In the order in which the parameters first occur.
Powers of(const char* formula) {
    return ks::fit::time_powers(ks::fit::Formula(formula));
}

TEST(TimePowers, follow_from_how_parameters_and_t_are_combined) {
    EXPECT_EQ(of("1 + beta*exp(-2*gamma*t)"), (Powers{0, -1}));
    EXPECT_EQ(of("1 + beta*exp(-2*t/gamma)"), (Powers{0, 1}));
    EXPECT_EQ(of("b + beta*exp(-2*(gamma*t)^c)"), (Powers{0, 0, -1, 0}));
    EXPECT_EQ(of("1 + beta*exp(-2*(t/tau)^c)"), (Powers{0, 1, 0}));
    EXPECT_EQ(of("b + beta*exp(-2*gamma*t)*(1 + mu2*t^2/2)^2"), (Powers{0, 0, -1, -2}));
    EXPECT_EQ(of("1 + beta*(f*exp(-gamma*t) + (1 - f)*exp(-t/slow))^2"), (Powers{0, 0, -1, 1}));
    EXPECT_EQ(of("1 + beta*exp(-2*gamma*t^2)"), (Powers{0, -2}));
    EXPECT_EQ(of("1 + beta*exp(-gamma^2*t^2)"), (Powers{0, -1}));
    EXPECT_EQ(of("1 + beta*exp(-2*gamma*t)*cos(w*t)^2"), (Powers{0, -1, -1}));
}

TEST(TimePowers, are_not_guessed) {
    EXPECT_EQ(of("1 + beta*exp(-a*b*t)"), (Powers{0, std::nullopt, std::nullopt}));
    EXPECT_EQ(of("1 + beta*exp(-2*gamma*(t + 0.1))"), (Powers{std::nullopt, std::nullopt}));
    EXPECT_EQ(of("1 + beta*exp(-2*sqrt(gamma*t^3))"), (Powers{0, -3}));
    EXPECT_EQ(of("1 + beta*exp(-2*gamma^2*t)"), (Powers{0, std::nullopt}));  // 1 / root of s
}

TEST(TimePowers, make_gamma_a_rate_only_where_it_is_one) {
    const ks::fit::Model rate = ks::fit::g2_model("1 + beta*exp(-2*gamma*t)"),
                         time = ks::fit::g2_model("1 + beta*exp(-2*t/gamma)");
    EXPECT_EQ(rate.rate, "gamma");
    EXPECT_EQ(rate.powers_of_time, (std::vector<int>{0, -1}));
    EXPECT_EQ(time.rate, "");
    EXPECT_EQ(time.powers_of_time, (std::vector<int>{0, 1}));
}

}  // namespace time_powers_test
