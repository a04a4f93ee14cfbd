#include "core/fit/time_powers.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <random>

#include <Eigen/LU>

namespace ks::fit {
namespace {

constexpr double rounding = 1e-6;  ///< share of the largest value, of derivatives at random places
constexpr double whole = 1e-3;     ///< distance from a whole number that is rounding

/// The derivative with respect to t, of fourth order.
double slope(const Formula& formula, double t, const std::vector<double>& at) {
    const double step = 1e-3 * t;
    std::vector<double> unused(at.size());
    const auto value = [&](double steps) { return formula.at(t + steps * step, at, unused); };
    return (8 * (value(1) - value(-1)) - (value(2) - value(-2))) / (12 * step);
}

/// Rows of p_k df/dp_k for each parameter, and last -t df/dt, at random values. Empty if the formula has no
/// value at most of them.
Eigen::MatrixXd equations(const Formula& formula) {
    const std::size_t n = formula.parameters().size(), wanted = 4 * n + 8;
    std::mt19937 random(1);
    // Its values are the same everywhere, unlike those of the standard's distributions.
    const auto any = [&random] { return 0.3 + 1.4 * static_cast<double>(random()) / 4294967296.0; };
    Eigen::MatrixXd rows(static_cast<Eigen::Index>(wanted), static_cast<Eigen::Index>(n + 1));
    Eigen::Index filled = 0;
    for (std::size_t tried = 0; tried < 4 * wanted && filled < rows.rows(); ++tried) {
        const double t = any();
        std::vector<double> at(n), gradient(n);
        std::ranges::generate(at, any);
        formula.at(t, at, gradient);
        for (std::size_t k = 0; k < n; ++k) rows(filled, static_cast<Eigen::Index>(k)) = at[k] * gradient[k];
        rows(filled, rows.cols() - 1) = -t * slope(formula, t, at);
        if (rows.row(filled).allFinite()) ++filled;
    }
    if (filled < rows.cols() + 3) filled = 0;
    return rows.topRows(filled);
}

}  // namespace

// If t is measured in a unit that is 1/s as large, t becomes s t, and a parameter with the power n of time
// becomes s^n p. The value stays the same, so that t df/dt + sum of n_k p_k df/dp_k is 0 (Euler).
std::vector<std::optional<int>> time_powers(const Formula& formula) {
    const auto n = static_cast<Eigen::Index>(formula.parameters().size());
    std::vector<std::optional<int>> powers(static_cast<std::size_t>(n));
    Eigen::MatrixXd rows = equations(formula);
    if (n == 0 || rows.rows() == 0) return powers;

    Eigen::VectorXd scale = rows.cwiseAbs().colwise().maxCoeff();
    scale = (scale.array() > 0).select(scale, 1);
    rows *= scale.cwiseInverse().asDiagonal();
    Eigen::FullPivLU<Eigen::MatrixXd> solver(rows.leftCols(n));
    solver.setThreshold(rounding);
    const Eigen::VectorXd found = solver.solve(rows.col(n));
    // Numbers of the formula have units themselves.
    if ((rows.leftCols(n) * found - rows.col(n)).cwiseAbs().maxCoeff() > rounding) return powers;

    const Eigen::MatrixXd free =
        solver.dimensionOfKernel() > 0 ? solver.kernel().eval() : Eigen::MatrixXd(n, 0);
    for (Eigen::Index k = 0; k < n; ++k) {
        const bool determined = free.cols() == 0 || free.row(k).cwiseAbs().maxCoeff() < rounding;
        const double power = found[k] * scale[n] / scale[k];
        if (determined && std::abs(power - std::round(power)) < whole)
            powers[static_cast<std::size_t>(k)] = static_cast<int>(std::lround(power));
    }
    return powers;
}

}  // namespace ks::fit
