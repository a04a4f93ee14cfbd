#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/particles/problem.h"
#include "core/particles/scaling.h"
#include "core/particles/treecode/accuracy.h"
#include "core/particles/treecode/cluster_tree.h"

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

/// L_0(x), .., L_{n-1}(x): L_k(x) is weight_k times the product of (x - x_i) over all i != k. There is no
/// division by x - x_k, so x may be a node.
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

/// Chebyshev points along the axes of a cluster's box; empty: too many would be needed.
using NodeCounts = std::array<std::uint8_t, 3>;

inline std::size_t proxies_of(const NodeCounts& nodes) {
    return std::size_t{nodes[0]} * nodes[1] * nodes[2];
}

/// Decides which clusters are replaced by Chebyshev points in their interaction with which other clusters,
/// and the number of these points. Lengths are in the unit of Scaling.
///
/// An axis of half length h gets the smallest n that keeps the bound of Chebyshev interpolation of the
/// kernel, min over rho of M(rho) rho^-n, below e^-digits. M is the growth of the kernel on the Bernstein
/// ellipse with half axes h (rho +- 1 / rho) / 2:
///   rbf        M = exp(h^2 (rho - 1 / rho)^2 / (8 sigma^2)), which is entire: clusters need no separation;
///              times n^2 sigma / h with gradients, since slopes have a larger error by this factor
///   laplace    M = 1 up to the ellipse that meets the other cluster, at (2 / theta - 1) radius
///   helmholtz  M = exp(k h (rho - 1 / rho) / 2) up to the same ellipse
class Resolution {
  public:
    Resolution(const SumSettings& settings, const Scaling& scaling, const Accuracy& accuracy);

    /// Number of points along each axis; all 0 if an axis needs more than max_nodes.
    NodeCounts nodes(const Cluster& cluster) const;
    /// The parameter `thinnest` of build_tree() for targets. It matters for gradients, which are derivatives
    /// of the interpolant.
    double thinnest_targets() const { return gradient_ ? 0.25 : 0; }
    /// Whether each may be replaced by its Chebyshev points towards the other.
    bool are_apart(const Cluster& one, const Cluster& other) const;
    /// Whether all terms between them are negligible.
    bool is_nothing(const Cluster& one, const Cluster& other) const;
    /// Whether to use `proxies` pairs of Chebyshev points instead of their own `points` pairs.
    bool is_worth(std::size_t proxies, std::size_t points) const {
        return proxies < points || proxies <= accuracy_.pairs_anyway;
    }

  private:
    std::size_t nodes_along(double half, double radius) const;
    double bound(double half, double radius, double nodes) const;

    Kernel kernel_;
    bool gradient_;
    Accuracy accuracy_;
    double wavenumber_ = 0;  ///< in the unit of Scaling, above 0
};

/// Proxy points of clusters in one array, cluster after cluster; [i][j][k] along x, y and z within a cluster.
struct Proxies {
    std::vector<NodeCounts> nodes;     ///< [cluster]
    std::vector<std::uint32_t> first;  ///< [cluster + 1]; clusters that need no proxies have none
    std::size_t size() const { return first.back(); }
    std::size_t count(std::size_t cluster) const { return first[cluster + 1] - first[cluster]; }
};

/// Elements [begin, end) of an array.
struct Span32 {
    std::uint32_t begin, end;
};

/// What to sum at the points of a set of target clusters.
struct InteractionLists {
    std::vector<std::uint32_t> clusters;  ///< target clusters, ascending
    std::vector<std::uint32_t> start;     ///< [clusters + 1] of spans
    RawVector<Span32> spans;              ///< of sources or proxies, ascending and disjoint
    std::vector<std::uint64_t> sources;   ///< [clusters] total number in the spans of each
    std::uint64_t pairs = 0;
};

/// A barycentric Lagrange treecode between clusters (Wang, Krasny, Tlupova, Communications in Computational
/// Physics 28, 2020; Wilson, Vaughn, Krasny, Computer Physics Communications 265, 2021). Sources of a cluster
/// are replaced by weights at its Chebyshev points; sums at the targets of a cluster are interpolated from
/// sums at its Chebyshev points. Separated clusters interact through these points. Everything else is summed
/// pair by pair.
struct TreecodePlan {
    ClusterTree sources, targets;
    Proxies source_proxies, target_proxies;
    InteractionLists far;   ///< at proxies of targets, over spans of proxies of sources
    InteractionLists near;  ///< at targets of leaves, over spans of sources in the order of their tree
};

/// @param sources, targets in any order; they are reordered to match their trees
/// @param leaf maximum number of points in a leaf
template <class T>
TreecodePlan plan_treecode(Coordinates<T>& sources, Coordinates<T>& targets, const Resolution& resolution,
                           std::size_t leaf, unsigned threads);

/// Coordinates of proxies.
template <class T>
Coordinates<T> places_of_proxies(const ClusterTree& tree, const Proxies& proxies, unsigned threads);

}  // namespace ks::particles
