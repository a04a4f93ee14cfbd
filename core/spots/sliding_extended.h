#pragma once

#include <array>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <vector>

#include "core/run/progress.h"
#include "core/spots/count_rows.h"

namespace ks::spots {

template <int W>
void sum_block(const std::uint32_t* columns, const std::uint32_t* squares, std::uint32_t* x,
               std::uint32_t* y) {
    vectorised([=]() KS_INLINE {
        rows::across<W>(columns, rows::block, x);
        rows::across<W>(squares, rows::block, y);
    });
}

template <int W>
void count_block(const std::uint8_t* columns, std::uint16_t* counts) {
    vectorised([=]() KS_INLINE { rows::across<W>(columns, rows::block, counts); });
}

/// The dispersed pixels of a band, and the invalid ones, from column sums of integer counts and their
/// squares. The sums are exact where no count of a window is above `largest`; other windows are summed anew.
template <class T>
class DispersedBand {
  public:
    DispersedBand(const Pixels<T>& pixels, const Thresholds& t, const DispersionTest& test, Band band)
        : pixels_(pixels),
          window_(pixels, t, test),
          band_(band),
          kernel_x_(static_cast<std::size_t>(t.kernel_x)),
          kernel_y_(t.kernel_y),
          full_(static_cast<std::uint32_t>(t.window())),
          min_local_(static_cast<std::uint16_t>(t.min_local)),
          harmless_(static_cast<std::uint16_t>(std::min<std::uint32_t>(test.never_dispersed(), 65534))),
          largest_(largest(t)),
          counts_(pixels, t, band),
          valid_(static_cast<std::size_t>(2 * t.kernel_y + 2), pixels.width, kernel_x_),
          x_(counts_.length()),
          y_(counts_.length()),
          m_(counts_.length()),
          harmful_(counts_.length()),
          large_(counts_.length()) {
        for (std::size_t m = 0; m < test.noise().size(); ++m)
            limits_.push_back(static_cast<float>(t.gain * (static_cast<double>(m) - 1 + test.noise()[m])));
        rows::with_width(t.kernel_x, [&](auto width) {
            sum_ = &sum_block<width()>;
            count_ = &count_block<width()>;
        });
    }

    /// So that the squares of a window sum up to less than 2^31.
    static std::uint16_t largest(const Thresholds& t) {
        return static_cast<std::uint16_t>(std::sqrt(2147483647.0 / t.window()));
    }

    void run(const Progress& progress, BitImage& out) {
        const auto end = static_cast<std::ptrdiff_t>(band_.y1) + kernel_y_;
        for (std::ptrdiff_t y = counts_.first(); y < end; ++y) {
            slide(y);
            if (y - kernel_y_ < static_cast<std::ptrdiff_t>(band_.y0)) continue;
            const auto row = static_cast<std::size_t>(y - kernel_y_);
            progress.check();
            for (std::size_t x = 0; x < pixels_.width; x += rows::block) decide(row, x, out);
        }
    }

  private:
    void slide(std::ptrdiff_t y) {
        const std::uint16_t *const enter = counts_.enter(y), *const leave = counts_.leaving(y);
        const std::uint8_t *const valid = enter_valid(y), *const was_valid = leaving_valid(y);
        const std::size_t n = counts_.length();
        std::uint32_t *const sums = x_.data(), *const squares = y_.data();
        std::uint8_t *const m = m_.data(), *const harmful = harmful_.data(), *const large = large_.data();
        const std::uint16_t harmless = harmless_, most = largest_;
        vectorised([=]() KS_INLINE {
            rows::slide(sums, enter, leave, n, rows::saturated);
            rows::slide_squares(squares, enter, leave, n);
            rows::slide_bytes(m, valid, was_valid, n);
            rows::slide_above(harmful, enter, leave, n, harmless);
            rows::slide_above(large, enter, leave, n, most);
        });
    }

    const std::uint8_t* enter_valid(std::ptrdiff_t y) {
        if (!counts_.inside(y)) return valid_.zeros();
        const std::size_t from = pixels_.at(static_cast<std::size_t>(y), 0), width = pixels_.width;
        const T* const values = pixels_.values + from;
        const std::uint8_t* const ignore = pixels_.ignore + from;
        std::uint8_t* const row = valid_.row(y) + kernel_x_;
        const T last = pixels_.last;
        vectorised([=]() KS_INLINE { rows::validity(values, ignore, width, last, row); });
        return valid_.row(y);
    }
    const std::uint8_t* leaving_valid(std::ptrdiff_t y) {
        const std::ptrdiff_t gone = y - 2 * kernel_y_ - 1;
        return gone < counts_.first() || !counts_.inside(gone) ? valid_.zeros() : valid_.row(gone);
    }

    void decide(std::size_t y, std::size_t x, BitImage& out) {
        const std::size_t span = rows::block + 2 * kernel_x_;
        std::array<std::uint8_t, rows::block> flags{};
        const std::uint8_t* const valid = valid_.row(static_cast<std::ptrdiff_t>(y)) + kernel_x_ + x;
        if (rows::any(harmful_.data() + x, span)) {
            test(x, span, flags.data());
            decide_ties(y, x, valid, flags.data());
            if (rows::any(large_.data() + x, span)) decide_large(y, x, valid, flags.data());
        }
        for (std::size_t i = 0; i < rows::block && x + i < pixels_.width; i += BitImage::word)
            out.row(y)[(x + i) / BitImage::word] = packed(flags.data() + i) | ~packed(valid + i);
    }

    void test(std::size_t x, std::size_t span, std::uint8_t* flags) {
        std::array<std::uint32_t, rows::block> sums, squares;
        sum_(x_.data() + x, y_.data() + x, sums.data(), squares.data());
        const std::uint32_t *const a = sums.data(), *const b = squares.data();
        if (rows::all_are(m_.data() + x, span, static_cast<std::uint8_t>(2 * kernel_y_ + 1))) {
            const auto full = static_cast<float>(full_);
            const float limit = limits_[full_];
            vectorised([=]() KS_INLINE { rows::verdicts(a, b, full, limit, flags); });
            return;
        }
        std::array<std::uint16_t, rows::block> counts;
        count_(m_.data() + x, counts.data());
        const std::uint16_t *const m = counts.data(), min_local = min_local_;
        const float* const limits = limits_.data();
        vectorised([=]() KS_INLINE { rows::verdicts(a, b, m, limits, min_local, flags); });
    }

    void decide_ties(std::size_t y, std::size_t x, const std::uint8_t* valid, std::uint8_t* flags) const {
        for (std::size_t word = 0; word < rows::block; word += 8) {
            std::uint64_t eight;
            std::memcpy(&eight, flags + word, 8);
            if ((eight & rows::near_tie * 0x0101010101010101u) == 0) continue;
            for (std::size_t i = word; i < word + 8; ++i)
                if (flags[i] == rows::near_tie)
                    flags[i] = valid[i] != 0 && window_.dispersed(y, x + i) ? 1 : 0;
        }
    }

    void decide_large(std::size_t y, std::size_t x, const std::uint8_t* valid, std::uint8_t* flags) {
        std::array<std::uint16_t, rows::block> large;
        count_(large_.data() + x, large.data());
        for (std::size_t i = 0; i < rows::block; ++i)
            if (large[i] != 0 && valid[i] != 0) flags[i] = window_.dispersed(y, x + i) ? 1 : 0;
    }

    const Pixels<T>& pixels_;
    PixelWindow<T> window_;
    Band band_;
    std::size_t kernel_x_;
    std::ptrdiff_t kernel_y_;
    std::uint32_t full_;
    std::vector<float> limits_;  ///< by the number of valid pixels
    std::uint16_t min_local_, harmless_, largest_;
    CountRows<T> counts_;
    RowRing<std::uint8_t> valid_;
    std::vector<std::uint32_t> x_, y_;
    std::vector<std::uint8_t> m_, harmful_,
        large_;  ///< of a column: valid pixels, counts above harmless_, largest_
    void (*sum_)(const std::uint32_t*, const std::uint32_t*, std::uint32_t*, std::uint32_t*) = nullptr;
    void (*count_)(const std::uint8_t*, std::uint16_t*) = nullptr;
};

}  // namespace ks::spots
