#pragma once

#include <array>
#include <cstddef>
#include <vector>

#include "core/particles/treecode/plan.h"

namespace ks::particles {

/// Transfer between points and the Chebyshev points of a cluster, 16 points at a time
/// in loops that compilers vectorise.
template <class T>
class ClusterTransfer {
  public:
    ClusterTransfer(const Cluster& cluster, const NodeCounts& nodes) : cluster_(cluster), nodes_(nodes) {}

    /// Weights at the Chebyshev points that replace those of points [first, first + count): sum of L(x) c.
    /// @param weight c(point, number) of `numbers` @param out [number][Chebyshev point], added to
    template <class Weight>
    void gather(const Coordinates<T>& at, std::size_t first, std::size_t count, std::size_t numbers,
                const Weight& weight, std::vector<T>& out);

    /// Adds sum of L(x) values of the Chebyshev points to points [first, first + count).
    /// @param values [row], each beginning with this cluster's @param add(row, point, value)
    template <class Add>
    void spread(const Coordinates<T>& at, std::size_t first, std::size_t count,
                const std::vector<const T*>& values, const Add& add);

    /// The same with derivatives by x, y and z. @param add(row, point, {value, d/dx, d/dy, d/dz})
    template <class Add>
    void spread_slopes(const Coordinates<T>& at, std::size_t first, std::size_t count,
                       const std::vector<const T*>& values, const Add& add);

  private:
    static constexpr std::size_t lanes_ = 16;
    using Lanes = std::array<T, lanes_>;

    /// Lagrange polynomials at up to 16 points; unused lanes repeat the last point.
    void polynomials(const Coordinates<T>& at, std::size_t first, std::size_t some, bool slopes);

    const Cluster& cluster_;
    NodeCounts nodes_;
    std::array<std::array<Lanes, max_nodes>, 3> of_{}, slope_{};
    std::vector<Lanes> sums_ = {};
};

template <class T>
void ClusterTransfer<T>::polynomials(const Coordinates<T>& at, std::size_t first, std::size_t some,
                                     bool slopes) {
    std::array<T, max_nodes> values, derivatives;
    for (std::size_t axis = 0; axis < 3; ++axis) {
        const T centre = static_cast<T>(cluster_.centre[axis]), half = static_cast<T>(cluster_.half[axis]);
        const T scale = half > 0 ? 1 / half : T(0);
        const std::size_t n = nodes_[axis];
        for (std::size_t s = 0; s < lanes_; ++s) {
            const T x = (at.of[axis][first + (s < some ? s : some - 1)] - centre) * scale;
            if (slopes)
                lagrange_slopes(n, x, values.data(), derivatives.data());
            else
                lagrange(n, x, values.data());
            for (std::size_t k = 0; k < n; ++k) {
                of_[axis][k][s] = values[k];
                if (slopes) slope_[axis][k][s] = derivatives[k] * scale;
            }
        }
    }
}

template <class T>
template <class Weight>
void ClusterTransfer<T>::gather(const Coordinates<T>& at, std::size_t first, std::size_t count,
                                std::size_t numbers, const Weight& weight, std::vector<T>& out) {
    const std::size_t proxies = proxies_of(nodes_);
    sums_.assign(numbers * proxies, Lanes{});
    for (std::size_t begin = 0; begin < count; begin += lanes_) {
        const std::size_t some = std::min(lanes_, count - begin);
        polynomials(at, first + begin, some, false);
        for (std::size_t number = 0; number < numbers; ++number) {
            Lanes weights{};
            for (std::size_t s = 0; s < some; ++s) weights[s] = weight(first + begin + s, number);
            Lanes* to = sums_.data() + number * proxies;
            for (std::size_t i = 0; i < nodes_[0]; ++i)
                for (std::size_t j = 0; j < nodes_[1]; ++j) {
                    Lanes row;
                    for (std::size_t s = 0; s < lanes_; ++s)
                        row[s] = weights[s] * of_[0][i][s] * of_[1][j][s];
                    for (std::size_t k = 0; k < nodes_[2]; ++k, ++to)
                        for (std::size_t s = 0; s < lanes_; ++s) (*to)[s] += row[s] * of_[2][k][s];
                }
        }
    }
    for (std::size_t i = 0; i < out.size(); ++i) {
        T sum = 0;
        for (const T value : sums_[i]) sum += value;
        out[i] += sum;
    }
}

template <class T>
template <class Add>
void ClusterTransfer<T>::spread(const Coordinates<T>& at, std::size_t first, std::size_t count,
                                const std::vector<const T*>& values, const Add& add) {
    for (std::size_t begin = 0; begin < count; begin += lanes_) {
        const std::size_t some = std::min(lanes_, count - begin);
        polynomials(at, first + begin, some, false);
        for (std::size_t row = 0; row < values.size(); ++row) {
            const T* from = values[row];
            Lanes f{};
            for (std::size_t i = 0; i < nodes_[0]; ++i)
                for (std::size_t j = 0; j < nodes_[1]; ++j) {
                    Lanes along{};
                    for (std::size_t k = 0; k < nodes_[2]; ++k, ++from)
                        for (std::size_t s = 0; s < lanes_; ++s) along[s] += of_[2][k][s] * *from;
                    for (std::size_t s = 0; s < lanes_; ++s) f[s] += of_[0][i][s] * of_[1][j][s] * along[s];
                }
            for (std::size_t s = 0; s < some; ++s) add(row, first + begin + s, f[s]);
        }
    }
}

template <class T>
template <class Add>
void ClusterTransfer<T>::spread_slopes(const Coordinates<T>& at, std::size_t first, std::size_t count,
                                       const std::vector<const T*>& values, const Add& add) {
    for (std::size_t begin = 0; begin < count; begin += lanes_) {
        const std::size_t some = std::min(lanes_, count - begin);
        polynomials(at, first + begin, some, true);
        for (std::size_t row = 0; row < values.size(); ++row) {
            const T* from = values[row];
            std::array<Lanes, 4> f{};
            for (std::size_t i = 0; i < nodes_[0]; ++i)
                for (std::size_t j = 0; j < nodes_[1]; ++j) {
                    Lanes along{}, slope{};
                    for (std::size_t k = 0; k < nodes_[2]; ++k, ++from)
                        for (std::size_t s = 0; s < lanes_; ++s) {
                            along[s] += of_[2][k][s] * *from;
                            slope[s] += slope_[2][k][s] * *from;
                        }
                    for (std::size_t s = 0; s < lanes_; ++s) {
                        const T x = of_[0][i][s], y = of_[1][j][s];
                        f[0][s] += x * y * along[s];
                        f[1][s] += slope_[0][i][s] * y * along[s];
                        f[2][s] += x * slope_[1][j][s] * along[s];
                        f[3][s] += x * y * slope[s];
                    }
                }
            for (std::size_t s = 0; s < some; ++s)
                add(row, first + begin + s, std::array{f[0][s], f[1][s], f[2][s], f[3][s]});
        }
    }
}

}  // namespace ks::particles
