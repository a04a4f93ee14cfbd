#include "core/particles/treecode/resolution.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace ks::particles {
namespace {

double squared_distance(const Cluster& one, const Cluster& other) {
    double squares = 0;
    for (std::size_t axis = 0; axis < 3; ++axis) {
        const double d = one.centre[axis] - other.centre[axis];
        squares += d * d;
    }
    return squares;
}

/// Size of the gap between two boxes.
double squared_gap(const Cluster& one, const Cluster& other) {
    double squares = 0;
    for (std::size_t axis = 0; axis < 3; ++axis) {
        const double d = std::abs(one.centre[axis] - other.centre[axis]) - one.half[axis] - other.half[axis];
        if (d > 0) squares += d * d;
    }
    return squares;
}

}  // namespace

Resolution::Resolution(const SumSettings& settings, const Scaling& scaling, const Accuracy& accuracy)
    : kernel_(settings.kernel),
      gradient_(settings.gradient),
      accuracy_(accuracy),
      wavenumber_(std::abs(2 * std::numbers::pi * scaling.turns)) {}

double Resolution::bound(double half, double radius, double nodes) const {
    if (kernel_ == Kernel::rbf) {
        const double q = half * half * std::numbers::ln2 / 4, s = nodes / (2 * q);
        const double rho = std::sqrt((s + std::sqrt(s * s + 4)) / 2), width = rho - 1 / rho;
        const double sigma = 1 / std::sqrt(2 * std::numbers::ln2);
        const double slopes = gradient_ ? std::max(1.0, nodes * nodes * sigma / half) : 1;
        return q * width * width - nodes * std::log(rho) + std::log(slopes);
    }
    const double nearest = radius * (2 / accuracy_.theta - 1) / half;
    double rho = nearest + std::sqrt(nearest * nearest - 1);
    const double turn = wavenumber_ * half;
    if (turn > 0) {
        if (nodes <= turn) return 0;  // wavelengths too short for the points
        const double ratio = nodes / turn;
        rho = std::min(rho, ratio + std::sqrt(ratio * ratio - 1));
    }
    return turn * (rho - 1 / rho) / 2 - nodes * std::log(rho);
}

std::size_t Resolution::nodes_along(double half, double radius) const {
    if (half == 0) return 1;
    if (kernel_ != Kernel::rbf && wavenumber_ == 0) {
        const double n = std::ceil(accuracy_.digits / -bound(half, radius, 1));
        return n <= static_cast<double>(max_nodes) ? static_cast<std::size_t>(n) : 0;
    }
    for (std::size_t n = 1; n <= max_nodes; ++n)
        if (bound(half, radius, static_cast<double>(n)) <= -accuracy_.digits) return n;
    return 0;
}

NodeCounts Resolution::nodes(const Cluster& cluster) const {
    NodeCounts counts{};
    for (std::size_t axis = 0; axis < 3; ++axis) {
        counts[axis] = static_cast<std::uint8_t>(nodes_along(cluster.half[axis], cluster.radius));
        if (counts[axis] == 0) return {};
    }
    return counts;
}

bool Resolution::are_apart(const Cluster& one, const Cluster& other) const {
    if (kernel_ == Kernel::rbf) return true;
    // Far enough that the ellipses of nodes() just meet the other cluster's boundary.
    const auto [smaller, larger] = std::minmax(one.radius, other.radius);
    const double squares = squared_distance(one, other), reach = smaller + (2 / accuracy_.theta - 1) * larger;
    return squares > 0 && reach * reach <= squares;
}

bool Resolution::is_nothing(const Cluster& one, const Cluster& other) const {
    return kernel_ == Kernel::rbf && squared_gap(one, other) * std::numbers::ln2 > accuracy_.cut;
}

}  // namespace ks::particles
