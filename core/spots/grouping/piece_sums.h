#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <type_traits>
#include <vector>

#include "core/data/valid_pixels.h"
#include "core/spots/grouping/frame_pieces.h"
#include "core/spots/grouping/spot_sums.h"
#include "core/spots/signal/bit_image.h"
#include "core/spots/signal/reference.h"
#include "core/spots/sliding/vector_code.h"

namespace ks::spots {

/// Pixels [x0, x1) of rows [y0, y1).
struct PixelBox {
    std::uint32_t x0, x1, y0, y1;
};

/// Sum and number of the valid pixels in boxes. Boxes are small, and their places are as random as the
/// signal. Therefore 16-bit counts are added without branches, several columns at a time; their sums do not
/// depend on the order. Other types are added as doubles, row by row.
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

    /// Calls found(sum, pixels, saturated) for this box. Saturated pixels are counted separately; `sum` and
    /// `pixels` do not include them.
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

/// Sums of each piece of a frame. The background of a piece is taken from the valid non-signal pixels in its
/// box extended by 2 pixels on each side, within the frame.
///
/// Measuring a piece is memory-bound, as its pixels may be anywhere in the frame: pixels of later pieces
/// are prefetched, and blocks of pieces are measured in parallel. The sums of a piece are always added in
/// the same order.
class PieceSums {
  public:
    /// @param pieces of the signal of `frame`
    /// @param unused pixels of the image that are invalid regardless of their counts; its `ignore` is not
    /// used. All arguments must remain unchanged until the last block has been measured. Memory of the
    /// previous frame is reused.
    void start(const FramePieces& pieces, const ImageView& image, const BitImage& unused, std::size_t frame);
    std::size_t blocks() const;
    /// May be called from several threads for different blocks.
    void measure(std::size_t block);
    /// Sums per piece, after all blocks have been measured.
    std::span<const SpotSums> sums() const { return std::span(sums_).first(pieces_); }

  private:
    std::span<const SignalRun> runs_of(std::size_t piece) const;
    PixelBox background_box(std::size_t piece) const;
    template <class T>
    void measure(std::size_t first, std::size_t last);
    BitImage no_background(std::span<const PixelBox> boxes) const;

    ImageView image_{};
    const BitImage* unused_ = nullptr;
    std::size_t pieces_ = 0;
    std::uint32_t frame_ = 0;
    std::span<const SignalRun> runs_;    ///< runs of the frame, ascending in y, then x
    std::vector<std::uint32_t> row_;     ///< runs of row y are [row_[y], row_[y + 1])
    std::vector<SignalRun> piece_runs_;  ///< the same runs by piece, each ascending
    std::vector<std::uint32_t> piece_;   ///< runs of piece p are [piece_[p], piece_[p + 1])
    std::vector<SpotSums> sums_;         ///< of this frame, possibly followed by leftovers of an earlier one
};

}  // namespace ks::spots
