// Curves without noise from independent formulas are recovered by each model.

#include <cmath>
#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "core/base/error.h"
#include "core/fit/g2_models.h"

namespace g2_models_test {

using ks::fit::Fit;
using ks::fit::Model;
using ks::fit::State;

struct Curve {
    std::vector<double> x, y, error;

    Curve(const std::function<double(double)>& of, double first, double last, std::size_t n = 200) {
        for (std::size_t i = 0; i < n; ++i) {
            const double share = static_cast<double>(i) / static_cast<double>(n - 1);
            x.push_back(first * std::pow(last / first, share));
            y.push_back(of(x.back()));
            error.push_back(1e-3);
        }
    }
};

Fit fitted(const std::string& name, const Curve& curve) {
    const Model model = ks::fit::g2_model(name);
    ks::fit::Task task{.function = model.function,
                       .parameters = model.parameters,
                       .points = {curve.x, curve.y, curve.error}};
    if (model.starts) task.starts = model.starts(task.points);
    task.enough = model.enough;
    task.ordered = model.ordered;
    return ks::fit::solved(task);
}

void expect_values(const Fit& fit, const std::vector<double>& truth, double tolerance = 1e-5) {
    ASSERT_EQ(fit.status.text(), "converged");
    ASSERT_EQ(fit.values.size(), truth.size());
    for (std::size_t k = 0; k < truth.size(); ++k)
        EXPECT_NEAR(fit.values[k], truth[k], tolerance * std::abs(truth[k])) << k;
}

TEST(G2Models, derivatives_agree_with_differences) {
    for (const Model& model : ks::fit::g2_models()) {
        std::vector<double> at{1.02, 0.2, 3.1, 0.6, 0.9};
        at.resize(model.parameters.size());
        std::vector<double> gradient(at.size()), unused(at.size());
        model.function(0.13, at, gradient);
        for (std::size_t k = 0; k < at.size(); ++k) {
            std::vector<double> above = at, below = at;
            above[k] += 1e-5;
            below[k] -= 1e-5;
            EXPECT_NEAR(gradient[k],
                        (model.function(0.13, above, unused) - model.function(0.13, below, unused)) / 2e-5,
                        1e-8)
                << model.name << ", " << model.parameters[k].name;
        }
    }
}

TEST(G2Models, each_recovers_a_curve_at_any_scale_of_time) {
    for (const double scale : {1e-6, 1.0, 1e4}) {
        const double a = 1.01, beta = 0.17, gamma = 3 * scale;
        // e^(-x) as 1 / e^x, powers as exp of logarithms: not the code of the models.
        expect_values(fitted("single", Curve([&](double t) { return a + beta / std::exp(2 * gamma * t); },
                                             0.01 / gamma, 5 / gamma)),
                      {a, beta, gamma});
        expect_values(
            fitted(
                "stretched",
                Curve([&](double t) { return a + beta / std::exp(2 * std::exp(0.7 * std::log(gamma * t))); },
                      0.001 / gamma, 20 / gamma)),
            {a, beta, gamma, 0.7});
        expect_values(fitted("double", Curve(
                                           [&](double t) {
                                               const double field =
                                                   0.6 / std::exp(gamma * t) + 0.4 / std::exp(gamma * t / 20);
                                               return a + beta * field * field;
                                           },
                                           0.001 / gamma, 200 / gamma)),
                      {a, beta, gamma, 0.6, gamma / 20}, 1e-4);
        expect_values(fitted("cumulant", Curve(
                                             [&](double t) {
                                                 const double wide = 1 + 0.1 * gamma * gamma * t * t;
                                                 return a + beta / std::exp(2 * gamma * t) * wide * wide;
                                             },
                                             0.01 / gamma, 5 / gamma)),
                      {a, beta, gamma, 0.2 * gamma * gamma}, 1e-4);
    }
}

TEST(G2Models, a_compressed_decay_is_recovered) {
    expect_values(
        fitted("stretched", Curve([](double t) { return 1 + 0.1 / std::exp(2 * t * t * t * t); }, 0.1, 5)),
        {1, 0.1, 1, 2 * 2});
}

TEST(G2Models, a_slow_decay_that_does_not_reach_its_baseline_is_recovered) {
    expect_values(fitted("single", Curve([](double t) { return 1 + 0.2 / std::exp(2 * 0.3 * t); }, 0.01, 1)),
                  {1, 0.2, 0.3}, 1e-4);
}

TEST(G2Models, a_flat_curve_has_no_rate) {
    const Fit flat = fitted("single", Curve([](double) { return 1.0; }, 0.01, 5));
    EXPECT_NE(flat.status.state, State::converged);
    // Deviations without a decay, each as large as its error.
    double i = 0;
    const auto deviation = [&i](double) {
        i += 1;
        return 1 + 1e-3 * std::cos(2.4 * i * i);
    };
    const Fit noisy = fitted("single", Curve(deviation, 1, 200));
    EXPECT_NE(noisy.status.state, State::converged) << noisy.values[2] << ' ' << noisy.errors[2];
}

TEST(G2Models, a_formula_is_fitted_like_the_model_that_it_writes_down) {
    const Curve curve([](double t) { return 1.01 + 0.17 / std::exp(2 * 1.5 * t); }, 0.01, 3);
    const Model model = ks::fit::g2_model("a + b * exp(-2 * gamma * t)");
    EXPECT_EQ(model.name, "formula");
    EXPECT_EQ(model.rate, "gamma");
    expect_values(fitted("a + b * exp(-2 * gamma * t)", curve), {1.01, 0.17, 1.5});
    const Fit own = fitted("a + b * exp(-2 * gamma * t)", curve), built_in = fitted("single", curve);
    EXPECT_NEAR(own.errors[2], built_in.errors[2], 1e-6);
}

TEST(G2Models, a_formula_needs_no_start_values) {
    // From 1 for all parameters, the search ends where the exponential is 0.
    for (const double tau : {3e-5, 0.048, 0.5, 40.0}) {
        const Curve curve([tau](double t) { return 1 + 0.2 * std::exp(-2 * t / tau); }, tau / 50, 6 * tau);
        const Fit fit = fitted("1 + beta*exp(-2*(t/tau)^a)", curve);
        ASSERT_EQ(fit.status.text(), "converged") << tau;
        EXPECT_NEAR(fit.values[0], 0.2, 1e-5) << tau;
        EXPECT_NEAR(fit.values[1], tau, 1e-5 * tau);
        EXPECT_NEAR(fit.values[2], 1, 1e-5) << tau;
    }
}

TEST(G2Models, an_unknown_name_is_refused_with_those_that_exist) {
    try {
        ks::fit::g2_model("singel");
        ADD_FAILURE();
    } catch (const ks::Error& error) {
        EXPECT_EQ(error.message(),
                  "expected single, stretched, double, cumulant, or a formula of t with parameters, found "
                  "'singel'");
    }
}

}  // namespace g2_models_test
