#include "core/fit/time_powers.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <random>
#include <utility>

namespace ks::fit {
namespace {

/// Below this share of the largest value, a number is a rounding error of the derivatives.
constexpr double rounding = 1e-7;
constexpr double whole = 1e-3;  ///< distance from a whole number that is rounding

/// The derivative with respect to t, of fourth order.
double slope(const Formula& formula, double t, const std::vector<double>& at) {
    const double step = 1e-3 * t;
    std::vector<double> unused(at.size());
    const auto value = [&](double steps) { return formula.at(t + steps * step, at, unused); };
    return (8 * (value(1) - value(-1)) - (value(2) - value(-2))) / (12 * step);
}

/// Rows of p_k df/dp_k for each parameter, and last -t df/dt, at random values.
std::vector<std::vector<double>> equations(const Formula& formula) {
    const std::size_t n = formula.parameters().size(), wanted = 4 * n + 8;
    std::mt19937 random(1);
    // Its values are the same everywhere, unlike those of the standard's distributions.
    const auto any = [&random] { return 0.3 + 1.4 * static_cast<double>(random()) / 4294967296.0; };
    std::vector<std::vector<double>> rows;
    for (std::size_t tried = 0; tried < 4 * wanted && rows.size() < wanted; ++tried) {
        const double t = any();
        std::vector<double> at(n), gradient(n), row(n + 1);
        std::ranges::generate(at, any);
        formula.at(t, at, gradient);
        for (std::size_t k = 0; k < n; ++k) row[k] = at[k] * gradient[k];
        row[n] = -t * slope(formula, t, at);
        if (std::ranges::all_of(row, [](double one) { return std::isfinite(one); }))
            rows.push_back(std::move(row));
    }
    if (rows.size() < n + 4) rows.clear();
    return rows;
}

}  // namespace

// If t is measured in a unit that is 1/s as large, t becomes s t, and a parameter with the power n of time
// becomes s^n p. The value stays the same, so that t df/dt + sum of n_k p_k df/dp_k is 0 (Euler).
std::vector<std::optional<int>> time_powers(const Formula& formula) {
    const std::size_t n = formula.parameters().size();
    std::vector<std::vector<double>> rows = equations(formula);
    std::vector<std::optional<int>> powers(n);
    std::vector<double> scale(n + 1);
    for (std::size_t k = 0; k <= n; ++k) {
        for (const std::vector<double>& row : rows) scale[k] = std::max(scale[k], std::abs(row[k]));
        for (std::vector<double>& row : rows)
            if (scale[k] > 0) row[k] /= scale[k];
    }
    // Gauss and Jordan.
    std::vector<std::optional<std::size_t>> row_of(n);
    std::size_t done = 0;
    for (std::size_t k = 0; k < n && done < rows.size(); ++k) {
        const auto size = [k](const std::vector<double>& row) { return std::abs(row[k]); };
        std::swap(rows[done], *std::ranges::max_element(rows.begin() + static_cast<std::ptrdiff_t>(done),
                                                        rows.end(), {}, size));
        const double pivot = rows[done][k];
        if (std::abs(pivot) < rounding) continue;
        for (double& value : rows[done]) value /= pivot;
        for (std::size_t i = 0; i < rows.size(); ++i) {
            if (i == done) continue;
            const double factor = rows[i][k];
            for (std::size_t j = 0; j <= n; ++j) rows[i][j] -= factor * rows[done][j];
        }
        row_of[k] = done++;
    }
    const bool contradicts =
        std::any_of(rows.begin() + static_cast<std::ptrdiff_t>(done), rows.end(),
                    [n](const std::vector<double>& row) { return std::abs(row[n]) > 10 * rounding; });
    if (rows.empty() || contradicts) return powers;
    for (std::size_t k = 0; k < n; ++k) {
        if (!row_of[k]) continue;
        const std::vector<double>& row = rows[*row_of[k]];
        bool alone = true;
        for (std::size_t j = 0; j < n; ++j)
            alone = alone && (j == k || row_of[j] || std::abs(row[j]) < 10 * rounding);
        const double power = row[n] * scale[n] / scale[k];
        if (alone && std::abs(power - std::round(power)) < whole)
            powers[k] = static_cast<int>(std::lround(power));
    }
    return powers;
}

}  // namespace ks::fit
