#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "core/base/array.h"

namespace ks::spots {

/// Sums of a spot in whole numbers, as a device makes them (gpu/spots/grouping/records.cl), over frames that
/// were grouped together: pixel [frame][y][x] of them. Sums that would pass 64 bits wrap around.
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

/// Whether the sums are right, and so small that doubles hold them, and all that adding them up to those of
/// the spot makes on the way, exactly: they are the same bytes in any order. Counts are below 2^32.
bool sums_exactly(const SpotRecord& record, std::size_t frame_pixels);

/// Spots of frames that were grouped together.
struct GroupedSpots {
    Array records;                      ///< u64 [spot][16]: SpotRecord, by first pixel
    std::vector<std::uint32_t> frames;  ///< by place: counted from the first of the problem
    std::size_t height = 0, width = 0;  ///< of a frame

    std::size_t size() const { return records.size() / (sizeof(SpotRecord) / sizeof(std::uint64_t)); }
    const SpotRecord& operator[](std::size_t i) const {
        return reinterpret_cast<const SpotRecord*>(records.bytes().data())[i];
    }
    std::size_t frame_pixels() const { return height * width; }
};

}  // namespace ks::spots
