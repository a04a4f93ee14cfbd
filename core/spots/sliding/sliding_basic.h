#pragma once

#include <array>
#include <cmath>
#include <cstdint>
#include <vector>

#include "core/base/progress.h"
#include "core/spots/sliding/count_rows.h"

namespace ks::spots {

inline rows::StrongBound strong_bound(const Thresholds& t) {
    const double m = t.window(), slack = 1.0 / (1 << 20);
    double spread = t.sigma_s * t.sigma_s * t.gain * m * (1 - slack);
    // Outside the range of floats with 24 bits; or a product of infinity and almost 0.
    if (!(spread > 1e-30) || (!std::isfinite(spread) && t.gain < 1)) spread = 0;
    return {static_cast<float>(m * (1 + slack)), static_cast<float>(std::fmin(spread, 1e38)),
            static_cast<std::uint16_t>(std::fmin(std::fmax(std::floor(t.global_threshold), 0), 65534))};
}

template <int W, class Sum>
void test_block(const Sum* columns, const std::uint16_t* p, rows::StrongBound bound, std::uint8_t* flags) {
    vectorised([=]() KS_INLINE {
        std::array<Sum, rows::block> sums;
        rows::across<W>(columns, rows::block, sums.data());
        rows::may_be_strong(p, sums.data(), bound, flags);
    });
}

/// One row enters the column sums and one leaves. If there are counts that can make a window dispersed, their
/// numbers are updated, too.
template <class Sum>
void slide_row(Sum* columns, std::uint8_t* harmful, const std::uint16_t* enter, const std::uint16_t* leave,
               std::size_t n, std::uint16_t cap, std::uint16_t harmless) {
    vectorised([=]() KS_INLINE {
        rows::slide(columns, enter, leave, n, cap);
        if (harmful != nullptr) rows::slide_above(harmful, enter, leave, n, harmless);
    });
}

/// The basic algorithm for integer counts, with column sums of `Sum` bits; counts are capped so that the sum
/// of a window fits. If only few counts can make a window dispersed, blocks and windows without such counts
/// are skipped. For pixels that may be strong, the definition is computed.
template <class Sum>
class BasicBand {
  public:
    BasicBand(const SlidingImage& image, const Thresholds& t, const DispersionTest& test, Band band)
        : image_(image),
          band_(band),
          kernel_x_(static_cast<std::size_t>(t.kernel_x)),
          kernel_y_(t.kernel_y),
          bound_(strong_bound(t)),
          harmless_(static_cast<std::uint16_t>(std::min<std::uint32_t>(test.never_dispersed(), 65534))),
          cap_(largest_cap(t)),
          counts_(image, t, band),
          columns_(counts_.length()),
          harmful_(counts_.length()) {
        sparse_ = image.usual_max(band) <= harmless_;
        rows::with_width(t.kernel_x, [&](auto width) { test_ = &test_block<width(), Sum>; });
    }

    static std::uint16_t largest_cap(const Thresholds& t) {
        return sizeof(Sum) == 2 ? static_cast<std::uint16_t>(65535 / t.window()) : rows::saturated;
    }

    /// Calls found(y, x) for the signal of the band, in order.
    void run(const Progress& progress, const SignalList& found) {
        const auto end = static_cast<std::ptrdiff_t>(band_.y1) + kernel_y_;
        for (std::ptrdiff_t y = counts_.first(); y < end; ++y) {
            slide(y);
            if (y - kernel_y_ < static_cast<std::ptrdiff_t>(band_.y0)) continue;
            progress.check();
            decide(static_cast<std::size_t>(y - kernel_y_), found);
        }
    }

  private:
    void slide(std::ptrdiff_t y) {
        slide_row(columns_.data(), sparse_ ? harmful_.data() : nullptr, counts_.enter(y), counts_.leaving(y),
                  counts_.length(), cap_, harmless_);
    }

    void decide(std::size_t y, const SignalList& found) {
        std::array<std::uint8_t, rows::block> flags;
        for (std::size_t x = 0; x < image_.width; x += rows::block) {
            if (sparse_ && !rows::any(harmful_.data() + x, rows::block + 2 * kernel_x_)) continue;
            test_(columns_.data() + x, counts_.row(y) + kernel_x_ + x, bound_, flags.data());
            for (std::size_t word = 0; word < rows::block; word += BitImage::word)
                for_each_bit(packed(flags.data() + word), [&](std::size_t bit) {
                    const std::size_t at = x + word + bit;
                    if (sparse_ && !rows::any_of(harmful_.data() + at, 2 * kernel_x_ + 1)) return;
                    if (image_.signal(y, at)) found(y, at);
                });
        }
    }

    const SlidingImage& image_;
    Band band_;
    std::size_t kernel_x_;
    std::ptrdiff_t kernel_y_;
    rows::StrongBound bound_;
    std::uint16_t harmless_, cap_;
    CountRows counts_;
    std::vector<Sum> columns_;
    std::vector<std::uint8_t> harmful_;  ///< per column, counts that may make a window dispersed
    bool sparse_;  ///< few counts are harmful: harmful_ is updated, and windows without any are skipped
    void (*test_)(const Sum*, const std::uint16_t*, rows::StrongBound, std::uint8_t*) = nullptr;
};

}  // namespace ks::spots
