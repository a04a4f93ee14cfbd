#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace ks {

/// A rectangle of whole pixels: columns [x, x + width), rows [y, y + height).
struct PixelRect {
    std::int64_t x = 0, y = 0, width = 0, height = 0;

    bool empty() const { return width <= 0 || height <= 0; }
    /// Smallest rectangle around both; an empty one adds nothing.
    PixelRect united(const PixelRect& other) const;
    /// The common part; {} if there is none.
    PixelRect intersected(const PixelRect& other) const;
    bool operator==(const PixelRect&) const = default;
};

/// Pixels [first, end) of row y.
struct PixelSpan {
    std::uint32_t y, first, end;
    bool operator==(const PixelSpan&) const = default;
};

/// A set of pixels of a height x width image: spans in ascending order of row and column that neither overlap
/// nor touch. The result of every selection tool.
class PixelRegion {
  public:
    PixelRegion(std::size_t height, std::size_t width) : height_(height), width_(width) {}
    /// Spans in any order, possibly overlapping; parts outside the image are cut off.
    PixelRegion(std::size_t height, std::size_t width, std::vector<PixelSpan> spans);
    /// The nonzero pixels, [y][x]. Throws ks::Error(input) for a size other than height * width.
    static PixelRegion of_mask(std::size_t height, std::size_t width, std::span<const std::uint8_t> chosen);

    std::size_t height() const { return height_; }
    std::size_t width() const { return width_; }
    const std::vector<PixelSpan>& spans() const { return spans_; }
    bool empty() const { return spans_.empty(); }
    std::size_t pixels() const;
    /// {} if the region is empty.
    PixelRect bounds() const;
    bool contains(std::size_t x, std::size_t y) const;

    /// These two throw ks::Error(run) if the other region belongs to an image of another size.
    PixelRegion united(const PixelRegion& other) const;
    PixelRegion without(const PixelRegion& other) const;
    /// All pixels of the image that are not in this region.
    PixelRegion inverted() const;
    bool operator==(const PixelRegion&) const = default;

  private:
    std::size_t height_, width_;
    std::vector<PixelSpan> spans_;
};

}  // namespace ks
