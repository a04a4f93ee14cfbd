#include "core/spots/grouping/spot_filter.h"

#include <cmath>

#include "core/spots/results/ice_rings.h"

namespace ks::spots {

Dropped why_dropped(const Spot& spot, const Grouping& grouping) {
    if (spot.n_signal < grouping.min_size) return Dropped::too_small;
    if (spot.n_signal > grouping.max_size) return Dropped::too_large;
    const double separation =
        std::hypot(spot.peak_x + 0.5 - spot.x, spot.peak_y + 0.5 - spot.y, spot.peak_z + 0.5 - spot.z);
    if (separation > grouping.max_separation) return Dropped::far_peak;
    if ((grouping.d_min && spot.d < *grouping.d_min) || (grouping.d_max && spot.d > *grouping.d_max))
        return Dropped::resolution;
    if (grouping.ice_width && on_ice_ring(spot.d, *grouping.ice_width)) return Dropped::ice;
    return Dropped::kept;
}

}  // namespace ks::spots
