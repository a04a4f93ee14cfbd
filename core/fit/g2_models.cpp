#include "core/fit/g2_models.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <memory>
#include <optional>
#include <utility>

#include "core/base/error.h"
#include "core/fit/formula.h"
#include "core/fit/time_powers.h"

namespace ks::fit {
namespace {

using Values = std::span<const double>;
using Gradient = std::span<double>;

/// Rates must be known better than to 100 %, and a decay must be visible.
constexpr double significance_of_rate = 1, significance_of_contrast = 3;

Parameter baseline() {
    return {.name = "baseline"};
}
Parameter contrast() {
    return {.name = "beta", .significance = significance_of_contrast};
}
Parameter rate(const char* name) {
    return {.name = name, .lower = 0, .significance = significance_of_rate};
}

double single(double t, Values p, Gradient d) {
    const double decay = std::exp(-2 * p[2] * t);
    d[0] = 1;
    d[1] = decay;
    d[2] = -2 * t * p[1] * decay;
    return p[0] + p[1] * decay;
}

/// With L = log(gamma t) and u = exp(c L) = (gamma t)^c.
double stretched(double t, Values p, Gradient d) {
    const double l = std::log(p[2] * t), u = t > 0 && p[2] > 0 ? std::exp(p[3] * l) : 0;
    const double decay = std::exp(-2 * u);
    d[0] = 1;
    d[1] = decay;
    d[2] = p[2] > 0 ? -2 * p[1] * decay * u * p[3] / p[2] : 0;
    d[3] = u > 0 ? -2 * p[1] * decay * u * l : 0;
    return p[0] + p[1] * decay;
}

double twofold(double t, Values p, Gradient d) {
    const double first = std::exp(-p[2] * t), second = std::exp(-p[4] * t);
    const double field = p[3] * first + (1 - p[3]) * second;
    d[0] = 1;
    d[1] = field * field;
    d[2] = -2 * p[1] * field * p[3] * t * first;
    d[3] = 2 * p[1] * field * (first - second);
    d[4] = -2 * p[1] * field * (1 - p[3]) * t * second;
    return p[0] + p[1] * field * field;
}

double cumulant(double t, Values p, Gradient d) {
    const double decay = std::exp(-2 * p[2] * t), wide = 1 + p[3] * t * t / 2;
    d[0] = 1;
    d[1] = decay * wide * wide;
    d[2] = -2 * t * p[1] * decay * wide * wide;
    d[3] = p[1] * decay * wide * t * t;
    return p[0] + p[1] * decay * wide * wide;
}

struct Estimate {
    double baseline, beta, gamma;
};

/// The baseline from the last tenth of the points, beta from the first point, gamma from the first delay at
/// which the decay has fallen to 1 / e.
Estimate estimate(const Points& points, bool from_tail) {
    std::vector<std::pair<double, double>> usable;
    for (std::size_t i = 0; i < points.y.size(); ++i)
        if (std::isfinite(points.y[i]) && std::isfinite(points.error[i]) && points.error[i] > 0 &&
            points.x[i] > 0)
            usable.emplace_back(points.x[i], points.y[i]);
    if (usable.empty()) return {1, 1, 1};
    const std::size_t tail = std::max<std::size_t>(1, usable.size() / 10);
    double level = 0;
    for (std::size_t i = usable.size() - tail; i < usable.size(); ++i)
        level += usable[i].second / static_cast<double>(tail);
    if (!from_tail) level = 1;
    double height = usable.front().second - level;
    if (height == 0) height = 0.01;
    double time = usable.back().first;
    for (const auto& [t, y] : usable)
        if ((y - level) / height < 0.37) {
            time = t;
            break;
        }
    // At most one step has passed: the decay at t = 0 is higher than at the first point.
    return {level, height * std::exp(std::min(1.0, usable.front().first / time)), 0.5 / time};
}

/// Two starts: with the baseline from the tail and, for curves that do not reach it, with a baseline of 1.
template <class MakeStart>
auto starts_by(MakeStart make) {
    return [make](const Points& points) {
        return std::vector<std::vector<double>>{make(estimate(points, true)), make(estimate(points, false))};
    };
}

std::vector<Model> make_models() {
    std::vector<Model> all;
    all.push_back({.name = "single",
                   .formula = "baseline + beta exp(-2 gamma t)",
                   .parameters = {baseline(), contrast(), rate("gamma")},
                   .powers_of_time = {0, 0, -1},
                   .function = single,
                   .starts = starts_by([](const Estimate& e) {
                       return std::vector<double>{e.baseline, e.beta, e.gamma};
                   }),
                   .rate = "gamma"});
    all.push_back({.name = "stretched",
                   .formula = "baseline + beta exp(-2 (gamma t)^c)",
                   .parameters = {baseline(),
                                  contrast(),
                                  rate("gamma"),
                                  {.name = "c", .lower = 0, .upper = 10, .significance = 1}},
                   .powers_of_time = {0, 0, -1, 0},
                   .function = stretched,
                   .starts = starts_by([](const Estimate& e) {
                       return std::vector<double>{e.baseline, e.beta, e.gamma, 1};
                   }),
                   .rate = "gamma"});
    all.push_back({.name = "double",
                   .formula = "baseline + beta (f exp(-gamma t) + (1 - f) exp(-gamma2 t))^2",
                   .parameters = {baseline(),
                                  contrast(),
                                  rate("gamma"),
                                  {.name = "f", .lower = 0, .upper = 1, .significance = 1},
                                  rate("gamma2")},
                   .powers_of_time = {0, 0, -1, 0, -1},
                   .function = twofold,
                   .starts = starts_by([](const Estimate& e) {
                       return std::vector<double>{e.baseline, e.beta, 3 * e.gamma, 0.5, e.gamma / 3};
                   }),
                   .ordered =
                       [](std::span<double> p) {
                           if (p[2] >= p[4]) return;
                           std::swap(p[2], p[4]);
                           p[3] = 1 - p[3];
                       },
                   .rate = "gamma"});
    all.push_back({.name = "cumulant",
                   .formula = "baseline + beta exp(-2 gamma t) (1 + mu2 t^2 / 2)^2",
                   .parameters = {baseline(), contrast(), rate("gamma"), {.name = "mu2", .start = 0}},
                   .powers_of_time = {0, 0, -1, -2},
                   .function = cumulant,
                   .starts = starts_by([](const Estimate& e) {
                       return std::vector<double>{e.baseline, e.beta, e.gamma, 0.1 * e.gamma * e.gamma};
                   }),
                   .rate = "gamma"});
    return all;
}

bool is_word(const std::string& text) {
    return std::ranges::all_of(text, [](unsigned char c) { return std::isalpha(c) != 0; });
}

/// Nothing is known of the parameters of a user's formula: 1 for all of them, then times and rates of the
/// size of the delays, and shares.
std::vector<std::vector<double>> starts_of_unknown(std::size_t count, const Points& points) {
    double shortest = HUGE_VAL, longest = 0;
    for (const double t : points.x)
        if (t > 0) {
            shortest = std::min(shortest, t);
            longest = std::max(longest, t);
        }
    const double middle = longest > 0 ? std::sqrt(shortest * longest) : 1;
    const std::array values{1.0, middle, 1 / middle, 0.1};
    // All combinations of up to three parameters; of more, as many that are spread evenly (an odd factor
    // permutes the numbers below a power of 2).
    constexpr std::size_t most = 64, factor = 40503, bits = 2;
    const std::size_t considered = std::min<std::size_t>(count, 16),
                      combinations = std::size_t{1} << (bits * considered);
    std::vector<std::vector<double>> starts;
    for (std::size_t i = 0; i < std::min(most, combinations); ++i) {
        const std::size_t combination = i * factor % combinations;
        std::vector<double>& start = starts.emplace_back(count, 1.0);
        for (std::size_t k = 0; k < considered; ++k)
            start[k] = values[combination >> (bits * k) & (values.size() - 1)];
    }
    return starts;
}

}  // namespace

const std::vector<Model>& g2_models() {
    static const std::vector<Model> all = make_models();
    return all;
}

Model g2_model(const std::string& name_or_formula) {
    std::vector<std::string> names;
    for (const Model& model : g2_models()) {
        if (model.name == name_or_formula) return model;
        names.push_back(model.name);
    }
    if (is_word(name_or_formula))
        throw Error(ErrorKind::input,
                    fmt::format("expected {}, or a formula of t with parameters, found '{}'",
                                fmt::join(names, ", "), name_or_formula),
                    "fit");
    const auto formula = std::make_shared<const Formula>(name_or_formula);
    Model model{.name = "formula",
                .formula = name_or_formula,
                .parameters = {},
                .powers_of_time = {},
                .function = [formula](double t, Values p, Gradient d) { return formula->at(t, p, d); }};
    const std::vector<std::optional<int>> powers = time_powers(*formula);
    for (std::size_t k = 0; k < powers.size(); ++k) {
        const std::string& name = formula->parameters()[k];
        model.parameters.push_back({.name = name});
        model.powers_of_time.push_back(powers[k].value_or(0));
        if (name == rate_name && powers[k] == -1) model.rate = name;
    }
    model.starts = [count = model.parameters.size()](const Points& points) {
        return starts_of_unknown(count, points);
    };
    model.enough = 10;
    return model;
}

}  // namespace ks::fit
