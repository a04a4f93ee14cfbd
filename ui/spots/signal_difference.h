#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "ui/spots/found_spots.h"

namespace ks::ui::spots {

/// Signal of two runs set against each other.
struct SignalDifference {
    std::vector<std::uint32_t> onlyA, onlyB, both;  ///< indices [y][x], ascending
};
/// Both ascending.
SignalDifference difference(std::span<const std::uint32_t> a, std::span<const std::uint32_t> b);

struct DifferenceCounts {
    std::size_t onlyA = 0, onlyB = 0, both = 0;  ///< signal pixels
    int frames = 0;                              ///< that both runs cover
};
/// Over all frames that both cover.
DifferenceCounts countDifference(const FoundSpots& a, const FoundSpots& b);

}  // namespace ks::ui::spots
