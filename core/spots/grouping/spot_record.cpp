#include "core/spots/grouping/spot_record.h"

#include <algorithm>

#include "core/spots/grouping/spot_sums.h"

namespace ks::spots {

bool sums_exactly(const SpotRecord& record, std::size_t frame_pixels) {
    constexpr double most = 9e18;  // below 2^63: no overflow
    const auto peak = static_cast<double>(record.peak >> 32), n = static_cast<double>(record.n);
    if (n * peak > most || static_cast<double>(record.background_pixels) * 4294967296.0 > most) return false;
    if (static_cast<double>(record.sum) * peak > most) return false;
    const auto z0 = static_cast<std::uint32_t>(record.first) / static_cast<std::uint32_t>(frame_pixels);
    return whole_in_doubles(static_cast<double>(record.sum), static_cast<double>(record.squares),
                            static_cast<double>(record.background),
                            std::max({record.x1 - record.x0, record.y1 - record.y0, record.z1 - z0}));
}

}  // namespace ks::spots
