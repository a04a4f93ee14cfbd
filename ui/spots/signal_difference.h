#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "ui/spots/found_spots.h"

namespace ks::ui::spots {

/// Comparison of the signal of two runs.
struct SignalDifference {
    std::vector<std::uint32_t> onlyA, onlyB, both;  ///< flat indices over [y][x], ascending
};
/// Both inputs ascending.
SignalDifference difference(std::span<const std::uint32_t> a, std::span<const std::uint32_t> b);

struct DifferenceCounts {
    std::size_t onlyA = 0, onlyB = 0, both = 0;  ///< signal pixels
    int frames = 0;                              ///< frames in both runs
};
/// Over all frames that both runs cover.
DifferenceCounts countDifference(const FoundSpots& a, const FoundSpots& b);

}  // namespace ks::ui::spots
