#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace ks::clusters {

constexpr std::size_t max_in_masks = 64;

/// Adjacency of up to 64 digis of a module: bit j of `near[i]` is set if digi j is at the same pixel as digi
/// i or at a neighbouring one, so bit i is always set.
struct NeighbourMasks {
    std::uint64_t near[max_in_masks];
    std::uint64_t copies;  ///< bit i: another digi is at the pixel of digi i
};

/// Compares all pairs, 16 or 32 at a time. `x` and `y` have 64 elements, the first `digis` of which are used;
/// coordinates are below 65535.
using FindNeighbours = void (*)(const std::uint16_t* x, const std::uint16_t* y, std::size_t digis,
                                bool corners, NeighbourMasks& masks);
/// All implementations this processor can run, the best first; empty if it has neither AVX2 nor AVX-512BW.
std::vector<FindNeighbours> find_neighbours_here();

}  // namespace ks::clusters
