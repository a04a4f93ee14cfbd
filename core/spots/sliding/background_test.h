#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "core/spots/sliding/sliding_image.h"

namespace ks::spots {

/// The last step of the extended algorithm, for integer counts. Kept pixels that are close together in a row
/// share column sums of the background. Counts are below 2^24, so every sum is exact.
class BackgroundTest {
  public:
    BackgroundTest(const SlidingImage& image, const Thresholds& t)
        : image_(image),
          t_(t),
          reach_x_(static_cast<std::size_t>(t.kernel_x) + 2),
          reach_y_(static_cast<std::size_t>(t.kernel_y) + 2) {}

    /// @return those bits of a word of row y of `kept` that are signal
    std::uint64_t signal(std::size_t y, std::size_t word, const BitImage& kept) {
        const std::size_t x = word * BitImage::word;
        std::uint64_t candidates = 0;
        for_each_bit(kept.row(y)[word], [&](std::size_t bit) {
            if (x + bit < image_.width && image_.above_threshold(y, x + bit))
                candidates |= std::uint64_t{1} << bit;
        });
        if (candidates == 0) return 0;
        const std::size_t from = x + static_cast<std::size_t>(std::countr_zero(candidates)),
                          to = x + BitImage::word - static_cast<std::size_t>(std::countl_zero(candidates));
        const std::size_t first = from - std::min(from, reach_x_),
                          end = std::min(image_.width, to + reach_x_);
        sum_columns(y, first, end - first, kept);
        std::uint64_t found = 0;
        for_each_bit(candidates, [&](std::size_t bit) {
            const std::size_t at = x + bit, begin = at - std::min(at, reach_x_) - first,
                              stop = std::min(image_.width, at + reach_x_ + 1) - first;
            std::uint64_t sum = 0;
            std::uint32_t n = 0;
            for (std::size_t i = begin; i < stop; ++i) {
                sum += x_[i];
                n += m_[i];
            }
            const double mean = n < 2 ? 0 : static_cast<double>(sum) / n;
            if (image_.value(y, at) >= mean + t_.sigma_s * std::sqrt(t_.gain * mean))
                found |= std::uint64_t{1} << bit;
        });
        return found;
    }

  private:
    static constexpr std::size_t max_columns = 128;  // 64 + 2 (15 + 2), in whole vectors

    void sum_columns(std::size_t y, std::size_t x, std::size_t wanted, const BitImage& kept) {
        // Whole vectors, within the image.
        const std::size_t n =
            std::min((wanted + rows::lanes - 1) / rows::lanes * rows::lanes, image_.width - x);
        std::fill_n(x_.data(), n, 0U);
        std::fill_n(m_.data(), n, std::uint16_t{0});
        const std::size_t last_row = std::min(image_.height, y + reach_y_ + 1);
        for (std::size_t row = y - std::min(y, reach_y_); row < last_row; ++row) {
            spread(kept, row, x, n);
            image_.add_background(row, x, n, kept_.data(), x_.data(), m_.data());
        }
    }

    /// Expands bits to bytes, non-zero where a bit is set.
    void spread(const BitImage& kept, std::size_t row, std::size_t x, std::size_t n) {
        for (std::size_t i = 0; i < n; i += BitImage::word) {
            const std::uint64_t bits = kept.bits(row, x + i);
            for (std::size_t group = 0; group < BitImage::word && i + group < n; group += 8) {
                std::uint64_t eight = (bits >> group & 0xff) * 0x0101010101010101u & 0x8040201008040201u;
                if constexpr (std::endian::native == std::endian::big) eight = __builtin_bswap64(eight);
                std::memcpy(kept_.data() + i + group, &eight, 8);
            }
        }
    }

    const SlidingImage& image_;
    const Thresholds& t_;
    std::size_t reach_x_, reach_y_;
    std::array<std::uint32_t, max_columns> x_;
    std::array<std::uint16_t, max_columns> m_;
    std::array<std::uint8_t, max_columns> kept_;
};

}  // namespace ks::spots
