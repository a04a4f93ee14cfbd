#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <type_traits>

#include "core/data/valid_pixels.h"
#include "core/spots/signal/bit_image.h"
#include "core/spots/sliding/window_lanes.h"
#include "core/spots/thresholds.h"

namespace ks::spots {

/// One image [y][x] within a frame whose rows are `stride` pixels apart.
template <class T>
struct Pixels {
    static constexpr bool real = std::is_floating_point_v<T>;

    Pixels(const T* first, const std::uint8_t* ignored, std::size_t rows, std::size_t columns,
           std::size_t row_stride, double upper)
        : values(first), ignore(ignored), height(rows), width(columns), stride(row_stride), limit(upper) {
        if constexpr (!real) {
            // p < limit, as p <= last.
            constexpr T maximum = std::numeric_limits<T>::max();
            none_valid = !(limit > 0);
            if (!none_valid)
                last = limit > static_cast<double>(maximum) || limit >= 0x1p62
                           ? maximum
                           : static_cast<T>(std::ceil(limit) - 1);
        } else {
            none_valid = std::isnan(limit);
        }
    }

    bool valid(std::size_t at) const {
        if constexpr (real)
            return ignore[at] == 0 && is_count(values[at]) && static_cast<double>(values[at]) < limit;
        else
            return ignore[at] == 0 && is_count(values[at]) && values[at] <= last;
    }
    std::size_t at(std::size_t y, std::size_t x) const { return y * stride + x; }

    const T* values;
    const std::uint8_t* ignore;
    std::size_t height, width, stride;
    double limit;
    T last = 0;  ///< integers: the largest valid value
    bool none_valid;
};

/// Tests of single pixels, summing the window of each pixel separately.
template <class T>
class PixelWindow {
    static constexpr bool real = Pixels<T>::real;
    using Sum = std::conditional_t<real, double, std::uint64_t>;
    // 961 squares of 16-bit counts fit 64 bits.
    using Squares =
        std::conditional_t<real, double,
                           std::conditional_t<sizeof(T) <= 2, std::uint64_t, DispersionTest::Wide>>;
    struct Sums {
        std::uint32_t m = 0;
        Sum x = 0;
        Squares y = 0;
    };

  public:
    PixelWindow(const Pixels<T>& pixels, const Thresholds& thresholds, const DispersionTest& test)
        : pixels_(pixels), t_(thresholds), test_(test) {}

    bool above_threshold(std::size_t y, std::size_t x) const {
        const std::size_t at = pixels_.at(y, x);
        return pixels_.valid(at) && static_cast<double>(pixels_.values[at]) > t_.global_threshold;
    }

    /// The basic algorithm.
    bool signal(std::size_t y, std::size_t x) const { return above_threshold(y, x) && tests(y, x); }

    /// The conditions of the window for a pixel that is valid and above the threshold. The pixel may be too
    /// large to be part of the sums of its own window.
    bool tests(std::size_t y, std::size_t x) const {
        const Sums sums = sums_at(y, x);
        const auto p = pixels_.values[pixels_.at(y, x)];
        return enough(sums) && test_.strong(sums.m, sums.x, value(p)) && is_dispersed(sums);
    }

    /// The first step of the extended algorithm, for a valid pixel.
    bool dispersed(std::size_t y, std::size_t x) const {
        const Sums sums = sums_at(y, x);
        return enough(sums) && is_dispersed(sums);
    }

    /// Its last step, for a kept pixel.
    bool over_background(std::size_t y, std::size_t x, const BitImage& kept) const {
        if (!above_threshold(y, x)) return false;
        const auto [y0, y1, x0, x1] = around(y, x, 2);
        double sum = 0;
        std::uint32_t n = 0;
        for (std::size_t i = y0; i < y1; ++i) {
            double row = 0;
            const std::uint64_t skip = kept.bits(i, x0);
            for (std::size_t j = x0; j < x1; ++j) {
                const std::size_t at = pixels_.at(i, j);
                if ((skip >> (j - x0) & 1) != 0 || !pixels_.valid(at)) continue;
                row += static_cast<double>(pixels_.values[at]);
                ++n;
            }
            sum += row;
        }
        const double mean = n < 2 ? 0 : sum / n;
        return sum >= 0 && static_cast<double>(pixels_.values[pixels_.at(y, x)]) >=
                               mean + t_.sigma_s * std::sqrt(t_.gain * mean);
    }

  private:
    struct Box {
        std::size_t y0, y1, x0, x1;
    };

    Box around(std::size_t y, std::size_t x, std::size_t more) const {
        const auto ky = static_cast<std::size_t>(t_.kernel_y) + more,
                   kx = static_cast<std::size_t>(t_.kernel_x) + more;
        return {y - std::min(y, ky), std::min(pixels_.height, y + ky + 1), x - std::min(x, kx),
                std::min(pixels_.width, x + kx + 1)};
    }

    bool enough(const Sums& sums) const { return sums.m >= static_cast<std::uint32_t>(t_.min_local); }

    bool is_dispersed(const Sums& sums) const {
        if constexpr (real)
            return test_.dispersed(sums.m, sums.x, sums.y);
        else
            return test_.dispersed(sums.m, sums.x, DispersionTest::Wide{sums.y});
    }

    static auto value(T p) {
        if constexpr (real)
            return static_cast<double>(p);
        else
            return static_cast<std::uint32_t>(p);
    }

    Sums sums_at(std::size_t y, std::size_t x) const {
        const auto [y0, y1, x0, x1] = around(y, x, 0);
        if constexpr (!real && sizeof(T) == 2) {
            if (x1 - x0 <= 8 && pixels_.width >= 8) return sums_in_lanes<8>(y0, y1, x0, x1);
            if (x1 - x0 <= 16 && pixels_.width >= 16) return sums_in_lanes<16>(y0, y1, x0, x1);
            if (pixels_.width >= 32) return sums_in_lanes<32>(y0, y1, x0, x1);
        }
        Sums sums;
        for (std::size_t i = y0; i < y1; ++i) {
            Sums row;
            for (std::size_t at = pixels_.at(i, x0); at < pixels_.at(i, x1); ++at) {
                const bool valid = pixels_.valid(at);
                const Sum p = valid ? static_cast<Sum>(pixels_.values[at]) : Sum{0};
                row.m += valid ? 1 : 0;
                row.x += p;
                row.y += Squares{p} * Squares{p};
            }
            sums.m += row.m;
            sums.x += row.x;
            sums.y += row.y;
        }
        return sums;
    }

    /// @param x0,x1 at most Lanes columns, in an image with at least Lanes columns
    template <int Lanes>
    Sums sums_in_lanes(std::size_t y0, std::size_t y1, std::size_t x0, std::size_t x1) const {
        const std::size_t from = std::min(x0, pixels_.width - Lanes), at = pixels_.at(y0, from);
        const T *const pixels = pixels_.values + at, last = pixels_.last;
        const std::uint8_t* const ignore = pixels_.ignore + at;
        const std::size_t stride = pixels_.stride, high = y1 - y0, begin = x0 - from, end = x1 - from;
        rows::WindowTotals totals, *const out = &totals;
        vectorised([=]() KS_INLINE {
            rows::sum_window<Lanes>(pixels, ignore, stride, high, begin, end, last, out);
        });
        return {totals.m, totals.x, totals.y};
    }

    const Pixels<T>& pixels_;
    const Thresholds& t_;
    const DispersionTest& test_;
};

}  // namespace ks::spots
