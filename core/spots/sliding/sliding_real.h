#pragma once

#include <array>
#include <cmath>
#include <cstdint>
#include <vector>

#include "core/base/progress.h"
#include "core/spots/sliding/count_rows.h"
#include "core/spots/sliding/erosion.h"

namespace ks::spots {

template <int W>
void sum_row(const double* values, const std::uint8_t* valid, std::size_t n, double* x, double* y,
             std::uint8_t* m) {
    vectorised([=]() KS_INLINE {
        rows::across_real<W>(values, n, x, y);
        rows::across<W>(valid, n, m);
    });
}

/// The sums of the windows of a block.
struct BlockSums {
    std::array<double, rows::block> x{}, y{};
    std::array<std::uint16_t, rows::block> m{};
};

/// Adds a row of sums over the window width.
inline void add_row(const double* x, const double* y, const std::uint8_t* m, bool squares, BlockSums& sums) {
    double *const a = sums.x.data(), *const b = sums.y.data();
    std::uint16_t* const n = sums.m.data();
    vectorised([=]() KS_INLINE {
        rows::accumulate(x, a);
        if (squares) rows::accumulate(y, b);
        rows::accumulate(m, n);
    });
}

inline void strong_flags(const double* p, const BlockSums& sums, double spread, std::uint8_t* flags) {
    const double* const x = sums.x.data();
    const std::uint16_t* const m = sums.m.data();
    vectorised([=]() KS_INLINE { rows::may_be_strong_real(p, x, m, spread, flags); });
}

inline void dispersed_flags(const BlockSums& sums, rows::DispersionBound bound, std::uint8_t* flags) {
    const double *const x = sums.x.data(), *const y = sums.y.data();
    const std::uint16_t* const m = sums.m.data();
    vectorised([=]() KS_INLINE { rows::dispersed(x, y, m, bound, flags); });
}

/// Both algorithms, for floats and for integer counts that are too large for 32-bit sums. Each row is summed
/// over the width of the window once, then the rows of a window are added from top to bottom. These are the
/// steps of the definition, so sums of floats have the bits of the definition. Sums of integers are exact
/// below 2^53.
class RealBand {
  public:
    RealBand(const SlidingImage& image, const Thresholds& t, const DispersionTest& test, Band band)
        : image_(image),
          band_(band),
          high_(static_cast<std::size_t>(2 * t.kernel_y + 1)),
          kernel_x_(static_cast<std::size_t>(t.kernel_x)),
          kernel_y_(static_cast<std::size_t>(t.kernel_y)),
          bound_{test.noise().data(), t.gain, static_cast<std::uint16_t>(t.min_local)},
          spread_(t.sigma_s * t.sigma_s * t.gain),
          rule_(t.extended_rule),
          largest_(std::floor(std::exp2(26.5) / t.window())),
          wide_((image.width + rows::block - 1) / rows::block * rows::block),
          values_(high_, image.width, kernel_x_),
          x_(high_, image.width, kernel_x_),
          y_(high_, image.width, kernel_x_),
          valid_(high_, image.width, kernel_x_),
          m_(high_, image.width, kernel_x_),
          large_(high_) {
        // A product of infinity and almost 0 excludes nothing.
        if (!std::isfinite(spread_)) spread_ = 0;
        rows::with_width(t.kernel_x, [&](auto width) { sum_ = &sum_row<width()>; });
    }

    /// Calls found(y, x) for the signal of the basic algorithm, in order.
    void run_basic(const Progress& progress, const SignalList& found) {
        each_row(progress, [&](std::size_t y) {
            for (std::size_t x = 0; x < image_.width; x += rows::block) {
                const BlockSums sums = block_at(y, x, false);
                std::array<std::uint8_t, rows::block> flags;
                strong_flags(row(values_, y) + kernel_x_ + x, sums, spread_, flags.data());
                for (std::size_t word = 0; word < rows::block; word += BitImage::word)
                    for_each_bit(packed(flags.data() + word), [&](std::size_t bit) {
                        const std::size_t at = x + word + bit;
                        if (at < image_.width && image_.signal(y, at)) found(y, at);
                    });
            }
        });
    }

    /// The dispersed pixels of the band, and by the newer rule the invalid ones.
    void run_dispersed(const Progress& progress, BitImage& image) {
        each_row(progress, [&](std::size_t y) {
            const bool exact = !large_near(y);
            for (std::size_t x = 0; x < image_.width; x += rows::block) {
                std::array<std::uint8_t, rows::block> flags{};
                const std::uint8_t* const valid = row(valid_, y) + kernel_x_ + x;
                if (exact)
                    dispersed_flags(block_at(y, x, true), bound_, flags.data());
                else
                    for (std::size_t i = 0; i < rows::block; ++i)
                        if (valid[i] != 0) flags[i] = image_.dispersed(y, x + i) ? 1 : 0;
                for (std::size_t i = 0; i < rows::block && x + i < image_.width; i += BitImage::word) {
                    const std::uint64_t sound = packed(valid + i);
                    image.row(y)[(x + i) / BitImage::word] =
                        (packed(flags.data() + i) & sound) | set_anyway(sound, x + i, image_.width, rule_);
                }
            }
        });
    }

  private:
    template <class Value>
    static Value* row(RowRing<Value>& ring, std::size_t y) {
        return ring.row(static_cast<std::ptrdiff_t>(y));
    }

    template <class Decide>
    void each_row(const Progress& progress, const Decide& decide_row) {
        std::size_t entered = band_.y0 - std::min(band_.y0, kernel_y_);
        for (std::size_t y = band_.y0; y < band_.y1; ++y) {
            progress.check();
            for (; entered < std::min(image_.height, y + kernel_y_ + 1); ++entered) enter(entered);
            decide_row(y);
        }
    }

    void enter(std::size_t y) {
        double* const values = row(values_, y) + kernel_x_;
        image_.widen(y, values, row(valid_, y) + kernel_x_);
        sum_(row(values_, y), row(valid_, y), wide_, row(x_, y), row(y_, y), row(m_, y));
        if (!image_.real) {
            double maximum = 0;
            for (std::size_t x = 0; x < image_.width; ++x) maximum = std::max(maximum, values[x]);
            large_[y % high_] = maximum > largest_ ? 1 : 0;
        }
    }

    bool large_near(std::size_t y) const {
        for (std::size_t i = first(y); i < last(y); ++i)
            if (large_[i % high_] != 0) return true;
        return false;
    }
    std::size_t first(std::size_t y) const { return y - std::min(y, kernel_y_); }
    std::size_t last(std::size_t y) const { return std::min(image_.height, y + kernel_y_ + 1); }

    BlockSums block_at(std::size_t y, std::size_t x, bool squares) {
        BlockSums sums;
        for (std::size_t i = first(y); i < last(y); ++i)
            add_row(row(x_, i) + x, row(y_, i) + x, row(m_, i) + x, squares, sums);
        return sums;
    }

    const SlidingImage& image_;
    Band band_;
    std::size_t high_, kernel_x_, kernel_y_;
    rows::DispersionBound bound_;
    double spread_;
    ExtendedRule rule_;
    double largest_;  ///< for integers: m y and x^2 are exact below it
    std::size_t wide_;
    RowRing<double> values_, x_, y_;  ///< counts; their sums and sums of squares over a window's width
    RowRing<std::uint8_t> valid_, m_;
    std::vector<std::uint8_t> large_;  ///< per row: has a count above largest_
    void (*sum_)(const double*, const std::uint8_t*, std::size_t, double*, double*, std::uint8_t*) = nullptr;
};

}  // namespace ks::spots
