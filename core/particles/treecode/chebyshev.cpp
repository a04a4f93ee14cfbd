#include "core/particles/treecode/chebyshev.h"

#include <cmath>
#include <numbers>

namespace ks::particles {
namespace {

ChebyshevNodes nodes_of(std::size_t n) {
    ChebyshevNodes nodes;
    for (std::size_t k = 0; k < n; ++k)
        nodes.at[k] =
            std::cos(static_cast<double>(2 * k + 1) * std::numbers::pi / static_cast<double>(2 * n));
    if (n % 2 == 1) nodes.at[n / 2] = 0;  // exactly, without the rounding of pi
    for (std::size_t k = 0; k < n; ++k) {
        double product = 1;
        for (std::size_t i = 0; i < n; ++i)
            if (i != k) product *= nodes.at[k] - nodes.at[i];
        nodes.weight[k] = 1 / product;
    }
    return nodes;
}

}  // namespace

const ChebyshevNodes& chebyshev_nodes(std::size_t n) {
    static const auto all = [] {
        std::array<ChebyshevNodes, max_nodes + 1> made;
        for (std::size_t count = 1; count <= max_nodes; ++count) made[count] = nodes_of(count);
        return made;
    }();
    return all[n];
}

}  // namespace ks::particles
