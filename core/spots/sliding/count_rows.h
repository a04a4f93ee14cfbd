#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/spots/sliding/row_loops.h"
#include "core/spots/sliding/sliding_image.h"

namespace ks::spots {

/// Ring of rows of `Value` for a window that moves down: row y replaces row y - rows. A row has kernel_x
/// zeros before its first pixel. After its last pixel, zeros fill up a whole block, and another kernel_x
/// zeros follow.
template <class Value>
class RowRing {
  public:
    RowRing(std::size_t rows, std::size_t width, std::size_t kernel_x)
        : rows_(rows), length_(padded(width, kernel_x)), values_(rows * length_), zeros_(length_) {}

    static std::size_t padded(std::size_t width, std::size_t kernel_x) {
        const std::size_t wanted = (width + rows::block - 1) / rows::block * rows::block + 2 * kernel_x + 8;
        return (wanted + 63) / 64 * 64;
    }
    std::size_t length() const { return length_; }
    /// @param y may be negative
    Value* row(std::ptrdiff_t y) {
        const auto n = static_cast<std::ptrdiff_t>(rows_);
        return values_.data() + static_cast<std::size_t>((y % n + n) % n) * length_;
    }
    const Value* zeros() const { return zeros_.data(); }

  private:
    std::size_t rows_, length_;
    std::vector<Value> values_, zeros_;
};

/// The 16-bit counts of a band and of kernel_y rows on both sides, row by row.
class CountRows {
  public:
    CountRows(const SlidingImage& image, const Thresholds& thresholds, Band band)
        : image_(image),
          kernel_x_(static_cast<std::size_t>(thresholds.kernel_x)),
          high_(2 * thresholds.kernel_y + 1),
          first_(static_cast<std::ptrdiff_t>(band.y0) - thresholds.kernel_y),
          counts_(static_cast<std::size_t>(high_ + 1), image.width, kernel_x_) {}

    std::ptrdiff_t first() const { return first_; }
    std::size_t length() const { return counts_.length(); }
    bool inside(std::ptrdiff_t y) const { return y >= 0 && y < static_cast<std::ptrdiff_t>(image_.height); }

    /// Reads row y and returns it, padded; zeros outside the image.
    const std::uint16_t* enter(std::ptrdiff_t y) {
        if (!inside(y)) return counts_.zeros();
        image_.compact(static_cast<std::size_t>(y), counts_.row(y) + kernel_x_);
        return counts_.row(y);
    }
    /// The row that leaves the window when y enters.
    const std::uint16_t* leaving(std::ptrdiff_t y) {
        const std::ptrdiff_t gone = y - high_;
        return gone < first_ || !inside(gone) ? counts_.zeros() : counts_.row(gone);
    }
    const std::uint16_t* row(std::size_t y) { return counts_.row(static_cast<std::ptrdiff_t>(y)); }

  private:
    const SlidingImage& image_;
    std::size_t kernel_x_;
    std::ptrdiff_t high_, first_;
    RowRing<std::uint16_t> counts_;
};

}  // namespace ks::spots
