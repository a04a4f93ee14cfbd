#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "core/data/valid_pixels.h"
#include "core/spots/signal/bit_image.h"
#include "core/spots/signal/reference.h"
#include "core/spots/sliding/vector_code.h"

namespace ks::spots {

/// Pixels [x0, x1) of rows [y0, y1).
struct PixelBox {
    std::uint32_t x0, x1, y0, y1;
};

/// Sum and number of the valid pixels in boxes. Boxes are small and as random as the signal, so 16-bit counts
/// are added without branches, several columns at a time: their sums do not depend on the order. Other types
/// are added as doubles, row by row.
template <class T>
class BackgroundSum {
  public:
    /// @param none bits of the pixels to be left out
    BackgroundSum(const ImageView& image, const BitImage& none)
        : values_(reinterpret_cast<const T*>(image.pixels.data())),
          width_(image.width),
          pixels_(image.height * image.width),
          limit_(image.limit),
          saturation_(image.saturation),
          none_(none) {}

    /// Calls found(sum, pixels, saturated) for this box; saturated pixels are counted separately, and are in
    /// neither of the others.
    template <class Found>
    void of(const PixelBox& box, const Found& found) const {
        if constexpr (exact) {
            std::uint64_t sum = 0, pixels = 0, all = 0;
            // As many rows as possible without overflow of a lane.
            const std::uint32_t rows = largest_rows(box);
            for (std::uint32_t y = box.y0; y < box.y1; y += rows) {
                Lanes lanes;
                const PixelBox part{box.x0, box.x1, y, std::min(box.y1, y + rows)};
                vectorised([&]() KS_INLINE { add(part, lanes); });
                all += lanes.all;
                for (std::size_t lane = 0; lane < Lanes::count; ++lane) {
                    sum += lanes.sums[lane];
                    pixels += lanes.pixels[lane];
                }
            }
            // Such counts are either below the saturation or saturated.
            found(static_cast<double>(sum), pixels, static_cast<std::uint32_t>(all - pixels));
        } else {
            double sum = 0;
            std::uint64_t pixels = 0;
            std::uint32_t saturated = 0;
            for (std::size_t y = box.y0; y < box.y1; ++y)
                for (std::size_t x = box.x0; x < box.x1; ++x) {
                    const T value = values_[y * width_ + x];
                    const bool is_open = (none_.bits(y, x) & 1) == 0 && is_count(value),
                               takes = is_open && static_cast<double>(value) < limit_;
                    saturated += is_open && static_cast<double>(value) >= saturation_ ? 1 : 0;
                    sum += takes ? static_cast<double>(value) : 0;
                    pixels += takes ? 1 : 0;
                }
            found(sum, pixels, saturated);
        }
    }

  private:
    static constexpr bool exact = std::is_unsigned_v<T> && sizeof(T) <= 2;
    struct Lanes {
        static constexpr std::size_t count = 16;
        std::array<std::uint32_t, count> sums{}, pixels{};
        std::uint32_t all = 0;  ///< pixels not in none_
    };

    static std::uint32_t largest_rows(const PixelBox& box) {
        return std::max<std::uint32_t>(
            1, (std::uint32_t{1} << 16) / ((box.x1 - box.x0) / std::uint32_t{Lanes::count} + 1));
    }

    KS_INLINE void add(const PixelBox& box, Lanes& to) const {
        const std::int32_t end = limit_ > 65535 ? 65536
                                 : limit_ > 0   ? static_cast<std::int32_t>(std::ceil(limit_))
                                                : 0;
        Lanes lanes = to;
        for (std::size_t y = box.y0; y < box.y1; ++y)
            for (std::size_t x = box.x0; x < box.x1; x += Lanes::count) {
                const std::size_t at = y * width_ + x, some = std::min(Lanes::count, box.x1 - x);
                const auto takes =
                    static_cast<std::uint32_t>(~none_.bits(y, x)) & ((std::uint32_t{1} << some) - 1);
                lanes.all += static_cast<std::uint32_t>(std::popcount(takes));
                std::array<T, Lanes::count>
                    last{};  // at the end of the image, beyond which nothing may be read
                const bool inside = at + Lanes::count <= pixels_;
                if (!inside) std::copy_n(values_ + at, some, last.data());
                const T* const from = inside ? values_ + at : last.data();
                for (std::uint32_t lane = 0; lane < Lanes::count; ++lane) {
                    const std::int32_t value = from[lane];
                    const std::uint32_t one = takes >> lane & 1 & (value < end ? 1U : 0U);
                    lanes.sums[lane] += static_cast<std::uint32_t>(value) & (0U - one);
                    lanes.pixels[lane] += one;
                }
            }
        to = lanes;
    }

    const T* values_;
    std::size_t width_, pixels_;
    double limit_, saturation_;
    const BitImage& none_;
};

}  // namespace ks::spots
