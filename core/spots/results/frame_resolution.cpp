
#include "core/spots/results/frame_columns.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/spots/grouping/spot_filter.h"

namespace ks::spots {

double frame_resolution(const std::vector<double>& d) {
    std::vector<double> inverse;
    for (const double spacing : d)
        if (std::isfinite(spacing) && spacing > 0 && !on_ice_ring(spacing, usual_ice_width))
            inverse.push_back(1 / (spacing * spacing));
    if (inverse.size() < min_spots_for_resolution) return std::numeric_limits<double>::quiet_NaN();
    std::sort(inverse.begin(), inverse.end());
    const double rank = 0.95 * static_cast<double>(inverse.size() - 1);
    const auto below = static_cast<std::size_t>(rank);
    const std::size_t above = std::min(below + 1, inverse.size() - 1);
    const double part = rank - static_cast<double>(below);
    return 1 / std::sqrt(inverse[below] + part * (inverse[above] - inverse[below]));
}

}  // namespace ks::spots
