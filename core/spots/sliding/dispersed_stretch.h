#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <vector>

#include "core/spots/sliding/column_loops.h"
#include "core/spots/sliding/erosion.h"
#include "core/spots/sliding/sliding_image.h"

namespace ks::spots {

/// Column sums of a stretch of a row; what follows from them does not depend on the type of the pixels.
struct StretchColumns {
    static constexpr std::size_t stretch = 512;  // pixels; their columns fit the L1 cache
    static constexpr std::size_t max_columns = stretch + 2 * Thresholds::largest_kernel + rows::lanes;

    alignas(64) std::array<std::uint32_t, max_columns> x, y;
    alignas(64) std::array<std::uint16_t, max_columns> m, maximum;

    void clear(std::size_t n) {
        std::fill_n(x.data(), n, 0U);
        std::fill_n(y.data(), n, 0U);
        std::fill_n(m.data(), n, std::uint16_t{0});
        std::fill_n(maximum.data(), n, std::uint16_t{0});
    }
};

/// For the windows of 64 pixels beginning at column `at`.
template <int W>
void judge_full(const StretchColumns& columns, std::size_t at, float m, float limit, std::uint8_t* flags) {
    const std::uint32_t *const x = columns.x.data() + at, *const y = columns.y.data() + at;
    std::uint8_t* const out = flags + at;
    vectorised([=]() KS_INLINE { rows::verdicts_across<W>(x, y, BitImage::word, m, limit, out); });
}
template <int W>
void judge_any(const StretchColumns& columns, std::size_t at, const float* limits, std::uint16_t min_local,
               std::uint8_t* flags) {
    const std::uint32_t *const x = columns.x.data() + at, *const y = columns.y.data() + at;
    const std::uint16_t* const m = columns.m.data() + at;
    std::uint8_t* const out = flags + at;
    vectorised([=]()
                   KS_INLINE { rows::verdicts_across<W>(x, y, m, BitImage::word, limits, min_local, out); });
}

/// Finds the dispersed pixels, and by the newer rule the invalid ones, in a stretch of a row, for integer
/// counts. For each stretch it computes column sums over the rows of the window, then sums across columns.
/// These are exact if no count of a window exceeds largest(). Other windows, and those that floats find near
/// a tie, are summed as in the definition.
class DispersedStretch {
  public:
    DispersedStretch(const SlidingImage& image, const Thresholds& t, const DispersionTest& test)
        : image_(image),
          kernel_x_(static_cast<std::size_t>(t.kernel_x)),
          kernel_y_(static_cast<std::size_t>(t.kernel_y)),
          full_(static_cast<std::uint16_t>(t.window())),
          min_local_(static_cast<std::uint16_t>(t.min_local)),
          largest_(largest(t)),
          rule_(t.extended_rule) {
        for (std::size_t m = 0; m < test.noise().size(); ++m)
            limits_.push_back(static_cast<float>(t.gain * (static_cast<double>(m) - 1 + test.noise()[m])));
        rows::with_width(t.kernel_x, [&](auto width) {
            judge_full_ = &judge_full<width()>;
            judge_any_ = &judge_any<width()>;
        });
    }

    /// Chosen so that the squares in a window sum to less than 2^31. Four of these, even increased by 1,
    /// fit 16 bits.
    static std::uint16_t largest(const Thresholds& t) {
        return static_cast<std::uint16_t>(std::sqrt(2147483647.0 / t.window()));
    }

    /// Sets the bits of words `first` to `last` - 1 of row y, whose words are `row`. Bits after the end of
    /// the row become 1.
    void find(std::size_t y, std::size_t first, std::size_t last, std::uint64_t* row) {
        for (std::size_t at = first; at < last; at += stretch / BitImage::word)
            find_some(y, at * BitImage::word, std::min(stretch, (last - at) * BitImage::word), row + at);
    }

    /// The bits of valid pixels in a word of row y.
    std::uint64_t valid(std::size_t y, std::size_t word) {
        find_valid(y, word * BitImage::word, BitImage::word);
        return packed(valid_.data());
    }

  private:
    static constexpr std::size_t stretch = StretchColumns::stretch;

    /// @param n a multiple of 64
    void find_some(std::size_t y, std::size_t x, std::size_t n, std::uint64_t* words) {
        find_valid(y, x, n);
        const std::uint8_t* const valid = valid_.data();
        const bool any = rows::any(valid, n);
        if (any) judge(y, x, n);
        for (std::size_t i = 0; i < n; i += BitImage::word) {
            const std::uint64_t sound = packed(valid + i);
            words[i / BitImage::word] =
                (any ? packed(flags_.data() + i) & sound : 0) | set_anyway(sound, x + i, image_.width, rule_);
        }
    }

    void find_valid(std::size_t y, std::size_t x, std::size_t n) {
        const std::size_t inside = std::min(n, image_.width - x);
        image_.validity(y, x, inside, valid_.data());
        std::fill_n(valid_.data() + inside, n - inside, std::uint8_t{0});
    }

    void judge(std::size_t y, std::size_t x, std::size_t n) {
        const std::size_t span = n + 2 * kernel_x_;
        sum_columns(y, x, span);
        const std::uint16_t *const m = columns_.m.data(), *const maximum = columns_.maximum.data();
        const auto high = static_cast<std::uint16_t>(2 * kernel_y_ + 1);
        for (std::size_t i = 0; i < n; i += BitImage::word)
            if (rows::all_are(m + i, BitImage::word + 2 * kernel_x_, high))
                judge_full_(columns_, i, full_, limits_[full_], flags_.data());
            else
                judge_any_(columns_, i, limits_.data(), min_local_, flags_.data());
        decide_ties(y, x, n);
        if (rows::any_above(maximum, span, largest_)) decide_large(y, x, n);
    }

    /// Columns from x - kernel_x on; those outside the image are 0.
    void sum_columns(std::size_t y, std::size_t x, std::size_t span) {
        const std::size_t outside = kernel_x_ - std::min(x, kernel_x_), first = x + outside - kernel_x_;
        // Whole vectors, within the image.
        const std::size_t wanted = (span - outside + rows::lanes - 1) / rows::lanes * rows::lanes,
                          n = std::min(wanted, image_.width - first);
        columns_.clear(std::max(span, outside + n));
        const rows::ColumnSums sums{columns_.x.data() + outside, columns_.y.data() + outside,
                                    columns_.m.data() + outside, columns_.maximum.data() + outside};
        std::size_t row = y - std::min(y, kernel_y_);
        const std::size_t end = std::min(image_.height, y + kernel_y_ + 1);
        // Counts above the largest become the largest + 1.
        const auto cap = static_cast<std::uint16_t>(largest_ + 1);
        while (row < end) {
            const std::size_t some = row + 4 <= end ? 4 : row + 2 <= end ? 2 : 1;
            image_.sum_rows(row, first, some, n, cap, sums);
            row += some;
        }
    }

    void decide_ties(std::size_t y, std::size_t x, std::size_t n) {
        for (std::size_t group = 0; group < n; group += 8) {
            std::uint64_t eight;
            std::memcpy(&eight, flags_.data() + group, 8);
            if ((eight & rows::near_tie * 0x0101010101010101u) == 0) continue;
            for (std::size_t i = group; i < group + 8; ++i)
                if (flags_[i] == rows::near_tie) decide(y, x, i);
        }
    }

    void decide_large(std::size_t y, std::size_t x, std::size_t n) {
        std::array<std::uint8_t, stretch> large{};
        const std::uint16_t *const maximum = columns_.maximum.data(), bound = largest_;
        const std::size_t wide = 2 * kernel_x_ + 1;
        std::uint8_t* const flags = large.data();
        vectorised([=]() KS_INLINE { rows::above_across(maximum, n, wide, bound, flags); });
        for (std::size_t i = 0; i < n; ++i)
            if (large[i] != 0) decide(y, x, i);
    }

    void decide(std::size_t y, std::size_t x, std::size_t i) {
        flags_[i] = valid_[i] != 0 && image_.dispersed(y, x + i) ? 1 : 0;
    }

    const SlidingImage& image_;
    std::size_t kernel_x_, kernel_y_;
    std::uint16_t full_, min_local_, largest_;
    ExtendedRule rule_;
    std::vector<float> limits_;  ///< per number of valid pixels
    StretchColumns columns_;
    std::array<std::uint8_t, stretch + 8> valid_{}, flags_{};
    void (*judge_full_)(const StretchColumns&, std::size_t, float, float, std::uint8_t*) = nullptr;
    void (*judge_any_)(const StretchColumns&, std::size_t, const float*, std::uint16_t,
                       std::uint8_t*) = nullptr;
};

}  // namespace ks::spots
