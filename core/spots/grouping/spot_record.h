#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/base/array.h"

namespace ks::spots {

/// Sums of a spot in integers, as computed on a device (gpu/spots/grouping/records.cl), over frames grouped
/// together, with pixel [frame][y][x]. Sums beyond 64 bits wrap around.
struct SpotRecord {
    std::uint64_t first;  ///< pixel, below 2^32
    std::uint64_t n;
    std::uint64_t sum, squares;           ///< of the counts
    std::uint64_t peak;                   ///< count << 32 | ~pixel
    std::array<std::int64_t, 3> moment;   ///< sum p (r - first) in x, y, frame
    std::array<std::uint64_t, 3> second;  ///< sum p (r - first)^2
    std::uint64_t background, background_pixels;
    std::uint32_t x0, x1, y0, y1, z1, saturated;
};
static_assert(sizeof(SpotRecord) == 128);

/// Whether the sums are correct, and so small that doubles represent exactly both the sums and all
/// intermediate sums when a spot is added up. The result then has the same bytes in any order. Counts are
/// below 2^32.
bool sums_exactly(const SpotRecord& record, std::size_t frame_pixels);

/// Spots of frames grouped together.
struct GroupedSpots {
    Array records;                      ///< u64 [spot][16]: SpotRecord, by first pixel
    std::vector<std::uint32_t> frames;  ///< frame numbers, counted from the first of the problem
    std::size_t height = 0, width = 0;  ///< of a frame

    std::size_t size() const { return records.size() / (sizeof(SpotRecord) / sizeof(std::uint64_t)); }
    const SpotRecord& operator[](std::size_t i) const {
        return reinterpret_cast<const SpotRecord*>(records.bytes().data())[i];
    }
    std::size_t frame_pixels() const { return height * width; }
};

}  // namespace ks::spots
