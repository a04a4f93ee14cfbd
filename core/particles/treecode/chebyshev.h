#pragma once

#include <array>
#include <cstddef>

namespace ks::particles {

/// Maximum number of points along an axis of a cluster's box.
constexpr std::size_t max_nodes = 24;

/// Chebyshev points of the first kind in [-1, 1], x_k = cos((2 k + 1) pi / (2 n)), and the factors 1 /
/// prod_{i != k} (x_k - x_i) of Lagrange's polynomials L_k (the barycentric weights).
struct ChebyshevNodes {
    std::array<double, max_nodes> at{}, weight{};
};
/// @param n 1 to max_nodes
const ChebyshevNodes& chebyshev_nodes(std::size_t n);

/// L_0(x), .., L_{n-1}(x): weight_k times the product of all other (x - x_i), those before and those after k.
/// There is no division by x - x_k, so x may be a node.
template <class T>
void lagrange(std::size_t n, T x, T* values) {
    const ChebyshevNodes& nodes = chebyshev_nodes(n);
    T product = 1;
    for (std::size_t k = 0; k < n; ++k) {
        values[k] = product * static_cast<T>(nodes.weight[k]);
        product *= x - static_cast<T>(nodes.at[k]);
    }
    product = 1;
    for (std::size_t k = n; k-- > 0;) {
        values[k] *= product;
        product *= x - static_cast<T>(nodes.at[k]);
    }
}

/// The same with derivatives.
template <class T>
void lagrange_slopes(std::size_t n, T x, T* values, T* slopes) {
    const ChebyshevNodes& nodes = chebyshev_nodes(n);
    std::array<T, max_nodes> before, before_slope;
    T product = 1, slope = 0;
    for (std::size_t k = 0; k < n; ++k) {
        const T factor = x - static_cast<T>(nodes.at[k]);
        before[k] = product;
        before_slope[k] = slope;
        slope = slope * factor + product;
        product *= factor;
    }
    product = 1;
    slope = 0;
    for (std::size_t k = n; k-- > 0;) {
        const T factor = x - static_cast<T>(nodes.at[k]), weight = static_cast<T>(nodes.weight[k]);
        values[k] = before[k] * product * weight;
        slopes[k] = (before_slope[k] * product + before[k] * slope) * weight;
        slope = slope * factor + product;
        product *= factor;
    }
}

}  // namespace ks::particles
