#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace ks::clusters {

constexpr std::size_t max_in_masks = 64;

/// Who is whose neighbour among up to 64 digis of a module: bit j of `near[i]` is set where digi j lies at
/// the same pixel as digi i or at a neighbouring one, so bit i always is.
struct NeighbourMasks {
    std::uint64_t near[max_in_masks];
    std::uint64_t copies;  ///< bit i: another digi is at the pixel of digi i
};

/// Compares all pairs, 16 or 32 at once. `x` and `y` have 64 places, of which `digis` are used; coordinates
/// are below 65535.
using FindNeighbours = void (*)(const std::uint16_t* x, const std::uint16_t* y, std::size_t digis,
                                bool corners, NeighbourMasks& masks);
/// All that this processor can run, the best first; none where it has neither AVX2 nor AVX-512BW.
std::vector<FindNeighbours> find_neighbours_here();

}  // namespace ks::clusters
