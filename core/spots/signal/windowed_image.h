#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <vector>

#include "core/base/parallel.h"
#include "core/base/threads.h"
#include "core/data/valid_pixels.h"
#include "core/spots/signal/reference.h"
#include "core/spots/thresholds.h"

namespace ks::spots {

/// Half-widths of a window.
struct WindowReach {
    std::size_t y, x;
};

/// For successive rows: the sums over the valid pixels of the windows around each pixel of the row, clipped
/// at the border of the image. For integers, the sums slide in both directions and are exact. For floats,
/// each window is summed separately, in the order that DispersionTest defines: each row from left to right,
/// then the row sums from top to bottom.
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

/// An image of pixels T with sliding window sums, in bands of rows on all cores.
template <class T>
class WindowedImage {
  public:
    using Pixel = std::conditional_t<std::is_floating_point_v<T>, double, std::uint32_t>;

    WindowedImage(const ImageView& image, const Thresholds& thresholds, Progress& progress)
        : image_(image),
          thresholds_(thresholds),
          progress_(progress),
          values_(reinterpret_cast<const T*>(image.pixels.data())) {
        if (thresholds.algorithm == Algorithm::dispersion_extended)
            image_.limit = std::min(image_.limit, sums_limit);
    }

    std::size_t height() const { return image_.height; }
    std::size_t width() const { return image_.width; }
    std::size_t pixels() const { return image_.height * image_.width; }
    const Thresholds& thresholds() const { return thresholds_; }
    WindowReach reach(int more = 0) const {
        return {static_cast<std::size_t>(thresholds_.kernel_y + more),
                static_cast<std::size_t>(thresholds_.kernel_x + more)};
    }

    bool valid(std::size_t at) const {
        return image_.ignore[at] == 0 && is_count(values_[at]) &&
               static_cast<double>(values_[at]) < image_.limit;
    }
    Pixel pixel(std::size_t at) const { return static_cast<Pixel>(values_[at]); }
    double count(std::size_t at) const { return static_cast<double>(values_[at]); }

    /// Calls each(y) for all rows.
    template <class Each>
    void rows(const Each& each) const {
        bands([&](std::size_t first, std::size_t last) {
            for (std::size_t y = first; y < last; ++y) each(y);
        });
    }

    /// Calls each(y, sums) for all rows, with the sums over the valid pixels below sums_limit for which
    /// take(index) is true.
    template <class Take, class Each>
    void windows(WindowReach reach, const Take& take, const Each& each) const {
        sum_rows<T>(
            reach,
            [&](std::size_t y, T* values, std::uint8_t* valids) {
                for (std::size_t x = 0, at = y * width(); x < width(); ++x, ++at) {
                    const bool use = valid(at) && count(at) < sums_limit && take(at);
                    valids[x] = use ? 1 : 0;
                    values[x] = use ? values_[at] : T{0};
                }
            },
            each);
    }

    /// The same for the bytes of a map [y][x] with the shape of the image, all of them valid.
    template <class Each>
    void windows(WindowReach reach, const std::vector<std::uint8_t>& map, const Each& each) const {
        sum_rows<std::uint8_t>(
            reach,
            [&](std::size_t y, std::uint8_t* values, std::uint8_t* valids) {
                std::copy_n(map.data() + y * width(), width(), values);
                std::fill_n(valids, width(), std::uint8_t{1});
            },
            each);
    }

  private:
    static constexpr std::size_t band = 64;  // rows

    template <class Band>
    void bands(const Band& work) const {
        const std::size_t n = (height() + band - 1) / band;
        parallel_for(n, compute_threads(), progress_,
                     [&](std::size_t i) { work(i * band, std::min(height(), (i + 1) * band)); });
    }

    template <class Value, class Load, class Each>
    void sum_rows(WindowReach reach, const Load& load, const Each& each) const {
        bands([&](std::size_t first, std::size_t last) {
            WindowSums<Value> sums(height(), width(), reach, first);
            for (std::size_t y = first; y < last; ++y) {
                sums.next(load);
                each(y, sums);
            }
        });
    }

    ImageView image_;
    const Thresholds& thresholds_;
    Progress& progress_;
    const T* values_;
};

}  // namespace ks::spots
