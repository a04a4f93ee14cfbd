#include "core/xpcs/stability/change_point.h"

#include <gsl/gsl_cdf.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <tuple>

#include "core/base/random.h"

namespace ks::xpcs {
namespace {

/// A lower triangle with L L^T = a symmetric matrix.
class Triangle {
  public:
    /// @param matrix [row][column] of `size` rows
    Triangle(std::span<const double> matrix, std::size_t size) : size_(size), values_(size * size, 0) {
        for (std::size_t row = 0; row < size; ++row)
            for (std::size_t column = 0; column <= row; ++column) {
                double rest = matrix[row * size + column];
                for (std::size_t k = 0; k < column; ++k) rest -= at(row, k) * at(column, k);
                if (row != column) {
                    values_[row * size + column] = rest / at(column, column);
                    continue;
                }
                // Rounding leaves a rest where rows depend on each other.
                if (!(rest > 1e-12 * matrix[row * size + row])) positive_ = false;
                values_[row * size + row] = std::sqrt(std::max(rest, 0.0));
            }
    }
    bool positive() const { return positive_; }
    /// Replaces x by the solution of L y = x. @param stride between elements of x
    void solve(double* x, std::size_t stride) const {
        for (std::size_t row = 0; row < size_; ++row) {
            double rest = x[row * stride];
            for (std::size_t k = 0; k < row; ++k) rest -= at(row, k) * x[k * stride];
            x[row * stride] = rest / at(row, row);
        }
    }

  private:
    double at(std::size_t row, std::size_t column) const { return values_[row * size_ + column]; }
    std::size_t size_;
    std::vector<double> values_;
    bool positive_ = true;
};

double product(std::span<const double> a, std::span<const double> b) {
    double sum = 0;
    for (std::size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i];
    return sum;
}

/// Makes it orthogonal to a unit vector.
void remove(std::vector<double>& from, const std::vector<double>& unit) {
    const double share = product(from, unit);
    for (std::size_t i = 0; i < from.size(); ++i) from[i] -= share * unit[i];
}

void normalise(std::vector<double>& one) {
    const double length = std::sqrt(product(one, one));
    for (double& value : one) value /= length;
}

/// The regressions of a series whose correlations have been removed.
class Splits {
  public:
    Splits(const Triangle& correlation, std::size_t n) : n_(n), mean_(n, 1) {
        correlation.solve(mean_.data(), 1);
        normalise(mean_);
        for (std::size_t first = 1; first < n; ++first) {
            std::vector<double> step(n, 0);
            std::fill(step.begin() + static_cast<std::ptrdiff_t>(first), step.end(), 1);
            correlation.solve(step.data(), 1);
            remove(step, mean_);
            normalise(step);
            steps_.push_back(std::move(step));
        }
    }
    /// The place with the largest share of the squares about the mean that a step there explains, in the
    /// metric in which it does not depend on units: (first, share). Share NaN: the series does not scatter.
    /// @param columns [element][time]; they lose their mean
    std::pair<std::size_t, double> strongest(std::vector<std::vector<double>>& columns) const {
        const std::size_t q = columns.size();
        for (std::vector<double>& column : columns) remove(column, mean_);
        std::vector<double> squares(q * q);
        for (std::size_t a = 0; a < q; ++a)
            for (std::size_t b = 0; b < q; ++b) squares[a * q + b] = product(columns[a], columns[b]);
        const Triangle root(squares, q);
        std::pair<std::size_t, double> best{0, std::numeric_limits<double>::quiet_NaN()};
        if (!root.positive()) return best;
        std::vector<double> of_step(q);
        for (std::size_t first = 1; first < n_; ++first) {
            for (std::size_t a = 0; a < q; ++a) of_step[a] = product(steps_[first - 1], columns[a]);
            root.solve(of_step.data(), 1);
            const double share = product(of_step, of_step);
            if (best.first == 0 || share > best.second) best = {first, share};
        }
        return best;
    }

  private:
    std::size_t n_;
    std::vector<double> mean_;                ///< unit vector
    std::vector<std::vector<double>> steps_;  ///< unit vectors, orthogonal to it
};

/// How often random series have a larger share, as a probability.
double share_of_random(const Splits& splits, std::size_t n, std::size_t q, double share) {
    constexpr int draws = 10000;
    Random random(1, n * 100 + q);
    int larger = 0;
    std::vector<std::vector<double>> columns(q, std::vector<double>(n + n % 2));
    for (int draw = 0; draw < draws; ++draw) {
        for (std::vector<double>& column : columns) {
            column.resize(n + n % 2);
            for (std::size_t i = 0; i < column.size(); i += 2)
                std::tie(column[i], column[i + 1]) = random.normal();
            column.resize(n);
        }
        if (splits.strongest(columns).second >= share) ++larger;
    }
    return (larger + 1.0) / (draws + 1.0);
}

}  // namespace

std::vector<double> correlation_of_means(std::size_t segments, double length, double time) {
    std::vector<double> matrix(segments * segments, 0);
    const double x = length / time, decay = -std::expm1(-x);
    // Double integrals of exp(-|t1 - t2| / time) over two segments. Far below 1, rounding would prevail.
    const double alone = x > 1e-4 ? 2 * (x - decay) : x * x;
    for (std::size_t i = 0; i < segments; ++i)
        for (std::size_t j = 0; j < segments; ++j) {
            const double between = static_cast<double>(std::max(i, j) - std::min(i, j));
            matrix[i * segments + j] = i == j ? 1 : decay * decay * std::exp(-x * (between - 1)) / alone;
        }
    return matrix;
}

std::optional<ChangePoint> strongest_change(const std::vector<std::vector<double>>& vectors,
                                            std::span<const double> correlation) {
    const std::size_t n = vectors.size(), q = n == 0 ? 0 : vectors[0].size();
    if (q == 0 || n < q + 3) return std::nullopt;
    const Triangle root(correlation, n);
    if (!root.positive()) return std::nullopt;
    const Splits splits(root, n);
    std::vector<std::vector<double>> columns(q, std::vector<double>(n));
    for (std::size_t a = 0; a < q; ++a) {
        for (std::size_t i = 0; i < n; ++i) columns[a][i] = vectors[i][a];
        root.solve(columns[a].data(), 1);
    }
    const auto [first, share] = splits.strongest(columns);
    if (!std::isfinite(share)) return std::nullopt;
    // Hotelling's T^2 with n - 2 degrees of freedom.
    const double freedom = static_cast<double>(n - 2), elements = static_cast<double>(q);
    const double odds = share / std::max(1 - share, 1e-15);
    const double one =
        gsl_cdf_fdist_Q(odds * (freedom - elements + 1) / elements, elements, freedom - elements + 1);
    double p = one * static_cast<double>(n - 1);
    // Random series cannot find smaller ones.
    if (p > 1e-4) p = std::min(p, share_of_random(splits, n, q, share));
    return ChangePoint{first, freedom * odds, std::min(p, 1.0)};
}

}  // namespace ks::xpcs
