#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/spots/sliding/pixel_window.h"
#include "core/spots/sliding/row_loops.h"

namespace ks::spots {

/// The rows of an image decided by one thread.
struct Band {
    std::size_t y0, y1;
};

/// Ring of rows of `Value` for a passing window: row y replaces row y - rows. A row has kernel_x zeros before
/// its first pixel, and zeros after the last one up to a whole block and another kernel_x.
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
template <class T>
class CountRows {
  public:
    CountRows(const Pixels<T>& pixels, const Thresholds& thresholds, Band band)
        : pixels_(pixels),
          kernel_x_(static_cast<std::size_t>(thresholds.kernel_x)),
          high_(2 * thresholds.kernel_y + 1),
          first_(static_cast<std::ptrdiff_t>(band.y0) - thresholds.kernel_y),
          counts_(static_cast<std::size_t>(high_ + 1), pixels.width, kernel_x_) {}

    std::ptrdiff_t first() const { return first_; }
    std::size_t length() const { return counts_.length(); }
    bool inside(std::ptrdiff_t y) const { return y >= 0 && y < static_cast<std::ptrdiff_t>(pixels_.height); }

    /// Reads row y and returns it, padded; zeros outside the image.
    const std::uint16_t* enter(std::ptrdiff_t y) {
        if (!inside(y)) return counts_.zeros();
        const std::size_t from = pixels_.at(static_cast<std::size_t>(y), 0);
        const auto* values = pixels_.values + from;
        const std::uint8_t* ignore = pixels_.ignore + from;
        std::uint16_t* const row = counts_.row(y) + kernel_x_;
        const std::size_t width = pixels_.width;
        const T last = pixels_.last;
        vectorised([=]() KS_INLINE { rows::compact(values, ignore, width, last, row); });
        return counts_.row(y);
    }
    /// The row that leaves the window when y enters.
    const std::uint16_t* leaving(std::ptrdiff_t y) {
        const std::ptrdiff_t gone = y - high_;
        return gone < first_ || !inside(gone) ? counts_.zeros() : counts_.row(gone);
    }
    const std::uint16_t* row(std::size_t y) { return counts_.row(static_cast<std::ptrdiff_t>(y)); }

  private:
    const Pixels<T>& pixels_;
    std::size_t kernel_x_;
    std::ptrdiff_t high_, first_;
    RowRing<std::uint16_t> counts_;
};

/// A count exceeded by at most one in 50 valid counts of a sample of the band; 0 if none is valid.
template <class T>
double usual_max(const Pixels<T>& pixels, Band band) {
    std::vector<T> sample;
    const std::size_t step_y = (band.y1 - band.y0) / 32 + 1, step_x = pixels.width / 64 + 1;
    for (std::size_t y = band.y0; y < band.y1; y += step_y)
        for (std::size_t x = y % step_x; x < pixels.width; x += step_x)
            if (const std::size_t at = pixels.at(y, x); pixels.valid(at)) sample.push_back(pixels.values[at]);
    if (sample.empty()) return 0;
    const auto at = sample.begin() + static_cast<std::ptrdiff_t>(sample.size() - 1 - sample.size() / 50);
    std::nth_element(sample.begin(), at, sample.end());
    return static_cast<double>(*at);
}

}  // namespace ks::spots
