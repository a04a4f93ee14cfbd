#include "core/spots/grouping/spot_filter.h"

#include <cmath>

#include "core/spots/grouping/ice_rings.h"

namespace ks::spots {
namespace {

/// The square almost always decides, in a third of the time.
bool is_far(const FilterInput& spot, double most) {
    constexpr double roundings = 1e-12;
    const double square = spot.x * spot.x + spot.y * spot.y + spot.z * spot.z, limit = most * most;
    if (square < limit * (1 - roundings)) return false;
    if (square > limit * (1 + roundings)) return true;
    return std::hypot(spot.x, spot.y, spot.z) > most;
}

}  // namespace

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
