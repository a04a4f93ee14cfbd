#include "core/spots/sliding/sliding_image.h"

#include <algorithm>
#include <string>
#include <type_traits>

#include "core/base/error.h"
#include "core/spots/sliding/pixel_window.h"

namespace ks::spots {
namespace {

template <class T>
class TypedImage : public SlidingImage {
    static constexpr bool of_floats = Pixels<T>::real;

  public:
    TypedImage(const Pixels<T>& pixels, const Thresholds& t, const DispersionTest& test)
        : SlidingImage(pixels.height, pixels.width, of_floats),
          pixels_(pixels),
          window_(pixels_, t, test),
          threshold_(t.global_threshold) {}

    bool none_valid() const override { return pixels_.none_valid; }

    double usual_max(Band band) const override {
        std::vector<T> sample;
        const std::size_t step_y = (band.y1 - band.y0) / 32 + 1, step_x = width / 64 + 1;
        for (std::size_t y = band.y0; y < band.y1; y += step_y)
            for (std::size_t x = y % step_x; x < width; x += step_x)
                if (const std::size_t at = pixels_.at(y, x); pixels_.valid(at))
                    sample.push_back(pixels_.values[at]);
        if (sample.empty()) return 0;
        const auto at = sample.begin() + static_cast<std::ptrdiff_t>(sample.size() - 1 - sample.size() / 50);
        std::nth_element(sample.begin(), at, sample.end());
        return static_cast<double>(*at);
    }

    double value(std::size_t y, std::size_t x) const override {
        return static_cast<double>(pixels_.values[pixels_.at(y, x)]);
    }
    bool above_threshold(std::size_t y, std::size_t x) const override {
        return window_.above_threshold(y, x);
    }
    bool signal(std::size_t y, std::size_t x) const override { return window_.signal(y, x); }
    bool dispersed(std::size_t y, std::size_t x) const override { return window_.dispersed(y, x); }
    bool over_background(std::size_t y, std::size_t x, const BitImage& kept) const override {
        return window_.over_background(y, x, kept);
    }

    void large_counts(Band band, double end, const SignalList& found) const override {
        if constexpr (sizeof(T) >= 4)
            for (std::size_t y = band.y0; y < band.y1; ++y) {
                const T* const row = pixels_.values + pixels_.at(y, 0);
                if (!rows::any_from(row, width, static_cast<T>(sums_limit))) continue;
                for (std::size_t x = 0; x < width; ++x) {
                    const auto p = static_cast<double>(row[x]);
                    if (p >= sums_limit && p < end && is_count(row[x]) && p > threshold_ &&
                        pixels_.ignore[pixels_.at(y, x)] == 0 && window_.tests(y, x))
                        found(y, x);
                }
            }
    }

    void widen(std::size_t y, double* values, std::uint8_t* valid) const override {
        const Start from = start(y, 0);
        const std::size_t n = width;
        const double limit = pixels_.limit;
        vectorised([=]() KS_INLINE { rows::widen(from.values, from.ignore, n, limit, values, valid); });
    }

    void compact(std::size_t y, std::uint16_t* counts) const override {
        if constexpr (!of_floats) {
            const Start from = start(y, 0);
            const std::size_t n = width;
            const T last = pixels_.last;
            vectorised([=]() KS_INLINE { rows::compact(from.values, from.ignore, n, last, counts); });
        }
    }

    void validity(std::size_t y, std::size_t x, std::size_t n, std::uint8_t* valid) const override {
        if constexpr (!of_floats) {
            const Start from = start(y, x);
            const T last = pixels_.last;
            vectorised([=]() KS_INLINE { rows::validity(from.values, from.ignore, n, last, valid); });
        }
    }

    void sum_rows(std::size_t y, std::size_t x, std::size_t rows, std::size_t n, std::uint16_t cap,
                  rows::ColumnSums out) const override {
        if constexpr (!of_floats) {
            if (rows == 4)
                sum<4>(start(y, x), n, cap, out);
            else if (rows == 2)
                sum<2>(start(y, x), n, cap, out);
            else
                sum<1>(start(y, x), n, cap, out);
        }
    }

    void add_background(std::size_t y, std::size_t x, std::size_t n, const std::uint8_t* kept,
                        std::uint32_t* sums, std::uint16_t* numbers) const override {
        if constexpr (!of_floats) {
            const Start from = start(y, x);
            const T last = pixels_.last;
            vectorised([=]() KS_INLINE {
                rows::add_background(from.values, from.ignore, kept, n, last, sums, numbers);
            });
        }
    }

  private:
    struct Start {
        const T* values;
        const std::uint8_t* ignore;
    };
    Start start(std::size_t y, std::size_t x) const {
        return {pixels_.values + pixels_.at(y, x), pixels_.ignore + pixels_.at(y, x)};
    }

    template <int Rows>
    void sum(Start from, std::size_t n, std::uint16_t cap, rows::ColumnSums out) const {
        const std::size_t stride = pixels_.stride;
        const T last = pixels_.last;
        vectorised(
            [=]() KS_INLINE { rows::sum_rows<Rows>(from.values, from.ignore, stride, n, last, cap, out); });
    }

    Pixels<T> pixels_;
    PixelWindow<T> window_;
    double threshold_;
};

}  // namespace

std::unique_ptr<SlidingImage> sliding_image(const ImageView& frame, const ModuleLayout& layout,
                                            ModuleLayout::Origin origin, const Thresholds& t,
                                            const DispersionTest& test) {
    const std::size_t first = origin.y * layout.frame_width + origin.x;
    return visit_element(frame.type, [&](auto value) -> std::unique_ptr<SlidingImage> {
        using T = decltype(value);
        if constexpr (std::is_same_v<T, std::uint64_t> || std::is_same_v<T, double>)
            throw Error(ErrorKind::run,
                        std::string("unsupported pixel type for spots: ") + name_of(frame.type));
        else
            return std::make_unique<TypedImage<T>>(
                Pixels<T>(reinterpret_cast<const T*>(frame.pixels.data()) + first,
                          frame.ignore.data() + first, layout.height, layout.width, layout.frame_width,
                          std::min(frame.limit, sums_limit)),
                t, test);
    });
}

}  // namespace ks::spots
