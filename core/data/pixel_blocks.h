#pragma once

#include <compare>
#include <cstddef>
#include <vector>

namespace ks {

/// Pixels in rows [top, bottom) and columns [left, right).
struct PixelBlock {
    std::size_t top = 0, bottom = 0, left = 0, right = 0;

    std::size_t pixels() const { return (bottom - top) * (right - left); }
    auto operator<=>(const PixelBlock&) const = default;
};
using PixelBlocks = std::vector<PixelBlock>;

/// The pixels that are in one of `some` but in none of `without`, as few non-overlapping rectangles, from top
/// to bottom and left to right. Both arguments may contain overlapping and empty rectangles.
PixelBlocks disjoint(const PixelBlocks& some, const PixelBlocks& without = {});
/// Number of pixels in rectangles that do not overlap.
std::size_t pixels_of(const PixelBlocks& rects);

}  // namespace ks
