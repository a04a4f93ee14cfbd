#include "core/spots/grouping/spot_filter.h"

#include <cmath>

namespace ks::spots {
namespace {

constexpr double lattice_a = 4.4975, lattice_c = 7.3224;

constexpr int reflections[][3] = {{1, 0, 0}, {0, 0, 2}, {1, 0, 1}, {1, 0, 2}, {1, 1, 0}, {1, 0, 3},
                                  {2, 0, 0}, {1, 1, 2}, {2, 0, 1}, {2, 0, 2}, {2, 0, 3}, {2, 1, 0},
                                  {2, 1, 1}, {1, 0, 5}, {2, 1, 2}, {3, 0, 0}, {2, 1, 3}, {3, 0, 2},
                                  {0, 0, 6}, {2, 0, 5}, {1, 0, 6}, {2, 2, 0}};

/// The square almost always decides, in a third of the time.
bool is_far(const FilterInput& spot, double most) {
    constexpr double roundings = 1e-12;
    const double square = spot.x * spot.x + spot.y * spot.y + spot.z * spot.z, limit = most * most;
    if (square < limit * (1 - roundings)) return false;
    if (square > limit * (1 + roundings)) return true;
    return std::hypot(spot.x, spot.y, spot.z) > most;
}

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

Dropped why_dropped(const FilterInput& spot, const Grouping& grouping) {
    if (spot.n_signal < grouping.min_size) return Dropped::too_small;
    if (spot.n_signal > grouping.max_size) return Dropped::too_large;
    if (is_far(spot, grouping.max_separation)) return Dropped::far_peak;
    if ((grouping.d_min && spot.d < *grouping.d_min) || (grouping.d_max && spot.d > *grouping.d_max))
        return Dropped::resolution;
    if (grouping.ice_width && on_ice_ring(spot.d, *grouping.ice_width)) return Dropped::ice;
    return Dropped::kept;
}

Dropped why_dropped(const Spot& spot, const Grouping& grouping) {
    return why_dropped(FilterInput{spot.n_signal, spot.peak_x + 0.5 - spot.x, spot.peak_y + 0.5 - spot.y,
                                   spot.peak_z + 0.5 - spot.z, spot.d},
                       grouping);
}

}  // namespace ks::spots
