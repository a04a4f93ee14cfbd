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
#include "core/spots/signal/window_sums.h"

namespace ks::spots {

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
