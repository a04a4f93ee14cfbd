#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "core/particles/problem.h"
#include "core/particles/scaling.h"
#include "core/particles/treecode/accuracy.h"
#include "core/particles/treecode/chebyshev.h"
#include "core/particles/treecode/cluster_tree.h"

namespace ks::particles {

/// Chebyshev points along the axes of a cluster's box; empty: too many would be needed.
using NodeCounts = std::array<std::uint8_t, 3>;

inline std::size_t proxies_of(const NodeCounts& nodes) {
    return std::size_t{nodes[0]} * nodes[1] * nodes[2];
}

/// Which clusters are replaced by how many Chebyshev points, towards which others. In the unit of Scaling.
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

    /// All 0 if an axis needs more than max_nodes.
    NodeCounts nodes(const Cluster& cluster) const;
    /// For build_tree(): gradients are derivatives of the interpolant.
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

}  // namespace ks::particles
