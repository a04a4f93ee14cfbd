#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <vector>

#include "core/spots/sliding/column_loops.h"
#include "core/spots/sliding/pixel_window.h"

namespace ks::spots {

/// Finds the dispersed and invalid pixels in a stretch of a row, for integer counts: column sums over
/// the rows of the window, computed for each stretch, then sums across columns. They are exact where no
/// count of a window exceeds largest(); other windows, and those that floats find near a tie, are summed
/// by the definition.
template <class T>
class DispersedStretch {
  public:
    DispersedStretch(const Pixels<T>& pixels, const Thresholds& t, const DispersionTest& test)
        : pixels_(pixels),
          window_(pixels, t, test),
          kernel_x_(static_cast<std::size_t>(t.kernel_x)),
          kernel_y_(static_cast<std::size_t>(t.kernel_y)),
          full_(static_cast<std::uint16_t>(t.window())),
          min_local_(static_cast<std::uint16_t>(t.min_local)),
          largest_(largest(t)) {
        for (std::size_t m = 0; m < test.noise().size(); ++m)
            limits_.push_back(static_cast<float>(t.gain * (static_cast<double>(m) - 1 + test.noise()[m])));
        rows::with_width(t.kernel_x, [&](auto width) {
            judge_full_ = &judge_full<width()>;
            judge_any_ = &judge_any<width()>;
            find_large_ = &find_large<width()>;
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
    static constexpr std::size_t stretch = 512;  // pixels; their columns fit the L1 cache
    static constexpr std::size_t max_columns = stretch + 2 * Thresholds::largest_kernel + rows::lanes;

    struct Columns {
        alignas(64) std::array<std::uint32_t, max_columns> x, y;
        alignas(64) std::array<std::uint16_t, max_columns> m, maximum;
    };

    /// For the windows of 64 pixels beginning at column `at`.
    template <int W>
    static void judge_full(const Columns& columns, std::size_t at, float m, float limit,
                           std::uint8_t* flags) {
        const std::uint32_t *const x = columns.x.data() + at, *const y = columns.y.data() + at;
        std::uint8_t* const out = flags + at;
        vectorised([=]() KS_INLINE { rows::verdicts_across<W>(x, y, BitImage::word, m, limit, out); });
    }
    template <int W>
    static void judge_any(const Columns& columns, std::size_t at, const float* limits,
                          std::uint16_t min_local, std::uint8_t* flags) {
        const std::uint32_t *const x = columns.x.data() + at, *const y = columns.y.data() + at;
        const std::uint16_t* const m = columns.m.data() + at;
        std::uint8_t* const out = flags + at;
        vectorised(
            [=]() KS_INLINE { rows::verdicts_across<W>(x, y, m, BitImage::word, limits, min_local, out); });
    }
    template <int W>
    static void find_large(const std::uint16_t* maximum, std::size_t n, std::uint16_t bound,
                           std::uint8_t* large) {
        vectorised([=]() KS_INLINE { rows::above_across<W>(maximum, n, bound, large); });
    }

    /// @param n a multiple of 64
    void find_some(std::size_t y, std::size_t x, std::size_t n, std::uint64_t* words) {
        find_valid(y, x, n);
        const std::uint8_t* const valid = valid_.data();
        if (!rows::any(valid, n)) {
            std::fill_n(words, n / BitImage::word, ~std::uint64_t{0});
            return;
        }
        judge(y, x, n);
        for (std::size_t i = 0; i < n; i += BitImage::word)
            words[i / BitImage::word] = packed(flags_.data() + i) | ~packed(valid + i);
    }

    void find_valid(std::size_t y, std::size_t x, std::size_t n) {
        const std::size_t inside = std::min(n, pixels_.width - x), from = pixels_.at(y, x);
        const T *const values = pixels_.values + from, last = pixels_.last;
        const std::uint8_t* const ignore = pixels_.ignore + from;
        std::uint8_t* const valid = valid_.data();
        vectorised([=]() KS_INLINE { rows::validity(values, ignore, inside, last, valid); });
        std::fill(valid + inside, valid + n, std::uint8_t{0});
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
                          n = std::min(wanted, pixels_.width - first);
        clear(0, outside);
        clear(outside + n, span);
        const rows::ColumnSums sums{columns_.x.data() + outside, columns_.y.data() + outside,
                                    columns_.m.data() + outside, columns_.maximum.data() + outside};
        std::size_t row = y - std::min(y, kernel_y_);
        const std::size_t end = std::min(pixels_.height, y + kernel_y_ + 1);
        bool more = false;
        for (; row + 4 <= end; row += 4, more = true) add<4>(row, first, n, sums, more);
        if (row + 2 <= end) {
            add<2>(row, first, n, sums, more);
            row += 2;
            more = true;
        }
        if (row < end) add<1>(row, first, n, sums, more);
    }

    void clear(std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i)
            columns_.x[i] = columns_.y[i] = columns_.m[i] = columns_.maximum[i] = 0;
    }

    template <int Rows>
    void add(std::size_t row, std::size_t x, std::size_t n, rows::ColumnSums sums, bool more) const {
        const std::size_t at = pixels_.at(row, x), stride = pixels_.stride;
        const T *const values = pixels_.values + at, last = pixels_.last;
        const std::uint8_t* const ignore = pixels_.ignore + at;
        // Counts above the largest become the largest + 1.
        const auto cap = static_cast<std::uint16_t>(largest_ + 1);
        if (more)
            vectorised(
                [=]() KS_INLINE { rows::sum_rows<Rows, true>(values, ignore, stride, n, last, cap, sums); });
        else
            vectorised(
                [=]() KS_INLINE { rows::sum_rows<Rows, false>(values, ignore, stride, n, last, cap, sums); });
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
        std::array<std::uint8_t, stretch> large;
        find_large_(columns_.maximum.data(), n, largest_, large.data());
        for (std::size_t i = 0; i < n; ++i)
            if (large[i] != 0) decide(y, x, i);
    }

    void decide(std::size_t y, std::size_t x, std::size_t i) {
        flags_[i] = valid_[i] != 0 && window_.dispersed(y, x + i) ? 1 : 0;
    }

    const Pixels<T>& pixels_;
    PixelWindow<T> window_;
    std::size_t kernel_x_, kernel_y_;
    std::uint16_t full_, min_local_, largest_;
    std::vector<float> limits_;  ///< per number of valid pixels
    Columns columns_;
    std::array<std::uint8_t, stretch + 8> valid_{}, flags_{};
    void (*judge_full_)(const Columns&, std::size_t, float, float, std::uint8_t*) = nullptr;
    void (*judge_any_)(const Columns&, std::size_t, const float*, std::uint16_t, std::uint8_t*) = nullptr;
    void (*find_large_)(const std::uint16_t*, std::size_t, std::uint16_t, std::uint8_t*) = nullptr;
};

}  // namespace ks::spots
