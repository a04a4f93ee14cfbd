#pragma once

#include <vector>

namespace ks::spots {

/// A powder ring of hexagonal ice: the reflection that gives it, and its lattice spacing.
struct IceRing {
    int h, k, l;
    double d;  ///< angstrom
};

/// Rings of hexagonal ice (Ih, P6_3/mmc) from 3.90 to 1.12 angstrom, largest d first, with the lattice of
/// about 100 K: a = 4.4975, c = 7.3224 angstrom; 1/d^2 = 4/3 (h^2 + h k + k^2) / a^2 + l^2 / c^2. Reflections
/// that the oxygens extinguish, or nearly (such as 004, 111, 104), are none.
const std::vector<IceRing>& ice_rings();

/// Half-width in 1/d^2 (1/angstrom^2) that takes most of a ring where none is given.
inline constexpr double usual_ice_width = 0.002;

/// Whether 1/d^2 is within +- width (1/angstrom^2) of that of a ring; false where d is NaN.
bool on_ice_ring(double d, double width);

}  // namespace ks::spots
