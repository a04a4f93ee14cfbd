#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <vector>

#include "core/spots/thresholds.h"

namespace ks::spots {

/// Half-widths of a window.
struct WindowReach {
    std::size_t y, x;
};

/// Sums over the valid pixels of the windows around the pixels of a row, clipped at the border of the
/// image, for successive rows. Integers slide in both directions and are exact. Floats are added separately
/// for each window, rows from left to right, then row sums from top to bottom, in the order of the
/// definition of DispersionTest.
template <class Value>
class WindowSums {
    static constexpr bool real = std::is_floating_point_v<Value>;

  public:
    using Sum = std::conditional_t<real, double, std::uint64_t>;
    using Squares =
        std::conditional_t<real, double,
                           std::conditional_t<sizeof(Value) <= 2, std::uint64_t, DispersionTest::Wide>>;

    /// @param first the first row returned by next()
    WindowSums(std::size_t height, std::size_t width, WindowReach reach, std::size_t first)
        : height_(height),
          width_(width),
          reach_(reach),
          next_(first),
          values_(width + 2 * reach.x),
          valid_(width + 2 * reach.x),
          ring_(2 * reach.y + 1, Row(width)),
          total_(width) {}

    /// Advances to the next row.
    /// @param load (row, Value* values, uint8_t* valid): fills `width` values and flags, 0 where invalid
    template <class Load>
    void next(const Load& load) {
        const std::size_t y = next_++;
        if (!started_) {
            started_ = true;
            for (std::size_t row = y - std::min(y, reach_.y); row < std::min(height_, y + reach_.y); ++row)
                enter(row, load);
        } else if (y > reach_.y) {
            leave(y - reach_.y - 1);
        }
        if (y + reach_.y < height_) enter(y + reach_.y, load);
        if constexpr (real) add_rows(y);
    }

    std::uint32_t m(std::size_t x) const { return total_.m[x]; }
    Sum sum(std::size_t x) const { return total_.sum[x]; }
    Squares squares(std::size_t x) const { return total_.squares[x]; }

  private:
    struct Row {
        explicit Row(std::size_t width) : m(width), sum(width), squares(width) {}
        std::vector<std::uint32_t> m;
        std::vector<Sum> sum;
        std::vector<Squares> squares;
    };
    Row& row(std::size_t y) { return ring_[y % ring_.size()]; }

    template <class Load>
    void enter(std::size_t y, const Load& load) {
        load(y, values_.data() + reach_.x, valid_.data() + reach_.x);
        Row& into = row(y);
        if constexpr (real)
            add_columns(into);
        else
            slide(into);
        for (std::size_t x = 0; x < width_; ++x) total_.m[x] += into.m[x];
        if constexpr (!real)
            for (std::size_t x = 0; x < width_; ++x) {
                total_.sum[x] += into.sum[x];
                total_.squares[x] += into.squares[x];
            }
    }

    void leave(std::size_t y) {
        const Row& out = row(y);
        for (std::size_t x = 0; x < width_; ++x) total_.m[x] -= out.m[x];
        if constexpr (!real)
            for (std::size_t x = 0; x < width_; ++x) {
                total_.sum[x] -= out.sum[x];
                total_.squares[x] -= out.squares[x];
            }
    }

    void slide(Row& into) const {
        const std::size_t window = 2 * reach_.x + 1;
        std::uint32_t m = 0;
        Sum sum = 0;
        Squares squares = 0;
        const auto square = [](Sum p) { return Squares{p} * Squares{p}; };
        for (std::size_t at = 0; at < values_.size(); ++at) {
            const auto in = static_cast<Sum>(values_[at]);
            m += valid_[at];
            sum += in;
            squares += square(in);
            if (at + 1 < window) continue;
            const std::size_t x = at + 1 - window;
            into.m[x] = m;
            into.sum[x] = sum;
            into.squares[x] = squares;
            const auto out = static_cast<Sum>(values_[x]);
            m -= valid_[x];
            sum -= out;
            squares -= square(out);
        }
    }

    void add_columns(Row& into) const {
        into = Row(width_);
        for (std::size_t shift = 0; shift <= 2 * reach_.x; ++shift)
            for (std::size_t x = 0; x < width_; ++x) {
                const auto p = static_cast<double>(values_[x + shift]);
                into.m[x] += valid_[x + shift];
                into.sum[x] += p;
                into.squares[x] += p * p;
            }
    }

    void add_rows(std::size_t y) {
        std::fill(total_.sum.begin(), total_.sum.end(), Sum{0});
        std::fill(total_.squares.begin(), total_.squares.end(), Squares{0});
        for (std::size_t i = y - std::min(y, reach_.y); i < std::min(height_, y + reach_.y + 1); ++i) {
            const Row& more = row(i);
            for (std::size_t x = 0; x < width_; ++x) {
                total_.sum[x] += more.sum[x];
                total_.squares[x] += more.squares[x];
            }
        }
    }

    std::size_t height_, width_;
    WindowReach reach_;
    std::size_t next_;
    bool started_ = false;
    std::vector<Value> values_;  ///< one row, with zeros beyond both ends
    std::vector<std::uint8_t> valid_;
    std::vector<Row> ring_;  ///< row sums within the window
    Row total_;
};

}  // namespace ks::spots
