#include "core/spots/grouping/ice_rings.h"

#include <cmath>

namespace ks::spots {
namespace {

constexpr double lattice_a = 4.4975, lattice_c = 7.3224;

constexpr int reflections[][3] = {{1, 0, 0}, {0, 0, 2}, {1, 0, 1}, {1, 0, 2}, {1, 1, 0}, {1, 0, 3},
                                  {2, 0, 0}, {1, 1, 2}, {2, 0, 1}, {2, 0, 2}, {2, 0, 3}, {2, 1, 0},
                                  {2, 1, 1}, {1, 0, 5}, {2, 1, 2}, {3, 0, 0}, {2, 1, 3}, {3, 0, 2},
                                  {0, 0, 6}, {2, 0, 5}, {1, 0, 6}, {2, 2, 0}};

}  // namespace

const std::vector<IceRing>& ice_rings() {
    static const std::vector<IceRing> rings = [] {
        std::vector<IceRing> made;
        for (const auto& [h, k, l] : reflections) {
            const double inverse =
                4.0 / 3 * (h * h + h * k + k * k) / (lattice_a * lattice_a) + l * l / (lattice_c * lattice_c);
            made.push_back({h, k, l, 1 / std::sqrt(inverse)});
        }
        return made;
    }();
    return rings;
}

bool on_ice_ring(double d, double width) {
    for (const IceRing& ring : ice_rings())
        if (std::abs(1 / (d * d) - 1 / (ring.d * ring.d)) <= width) return true;
    return false;
}

}  // namespace ks::spots
