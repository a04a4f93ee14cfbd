#include "core/spots/signal/reference.h"

#include <algorithm>
#include <cmath>
#include <type_traits>

#include "core/base/error.h"
#include "core/data/valid_pixels.h"

namespace ks::spots {
namespace {

/// Half-widths of a window.
struct Reach {
    std::size_t y, x;
};

/// [y0, y1) x [x0, x1) of the window around a pixel, within the image.
struct Window {
    std::size_t y0, y1, x0, x1;
    Window(std::size_t y, std::size_t x, Reach reach, std::size_t height, std::size_t width)
        : y0(y - std::min(y, reach.y)),
          y1(std::min(height, y + reach.y + 1)),
          x0(x - std::min(x, reach.x)),
          x1(std::min(width, x + reach.x + 1)) {}
};

template <class T>
class Definition {
    static constexpr bool real = std::is_floating_point_v<T>;
    using Sum = std::conditional_t<real, double, std::uint64_t>;
    using Squares = std::conditional_t<real, double, DispersionTest::Wide>;
    struct Sums {
        std::uint32_t m = 0;
        Sum x = 0;
        Squares y = 0;
    };

  public:
    Definition(const ImageView& image, const Thresholds& thresholds)
        : image_(image),
          t_(thresholds),
          test_(thresholds),
          reach_{static_cast<std::size_t>(t_.kernel_y), static_cast<std::size_t>(t_.kernel_x)},
          values_(reinterpret_cast<const T*>(image.pixels.data())) {
        if (t_.algorithm == Algorithm::dispersion_extended) image_.limit = std::min(image_.limit, sums_limit);
    }

    bool valid(std::size_t at) const {
        return image_.ignore[at] == 0 && is_count(values_[at]) &&
               static_cast<double>(values_[at]) < image_.limit;
    }

    /// The basic algorithm.
    bool signal(std::size_t y, std::size_t x) const {
        const std::size_t at = y * image_.width + x;
        if (!valid(at) || !(static_cast<double>(values_[at]) > t_.global_threshold)) return false;
        const Sums sums = sums_at(y, x);
        if (sums.m < static_cast<std::uint32_t>(t_.min_local)) return false;
        return test_.dispersed(sums.m, sums.x, sums.y) && test_.strong(sums.m, sums.x, value(at));
    }

    /// (1) of the extended algorithm.
    bool dispersed(std::size_t y, std::size_t x) const {
        if (!valid(y * image_.width + x)) return t_.extended_rule == ExtendedRule::newer;
        const Sums sums = sums_at(y, x);
        return sums.m >= static_cast<std::uint32_t>(t_.min_local) && test_.dispersed(sums.m, sums.x, sums.y);
    }

    /// (2): `dispersed` as a function of (y, x).
    template <class Dispersed>
    bool kept(std::size_t y, std::size_t x, const Dispersed& is_dispersed) const {
        const std::size_t r = std::min(reach_.x, reach_.y) - 1;
        const Window window(y, x, {r, r}, image_.height, image_.width);
        for (std::size_t i = window.y0; i < window.y1; ++i)
            for (std::size_t j = window.x0; j < window.x1; ++j)
                if (!is_dispersed(i, j)) return false;
        return true;
    }

    /// (3) and (4), for a kept pixel.
    template <class Kept>
    bool over_background(std::size_t y, std::size_t x, const Kept& is_kept) const {
        const std::size_t at = y * image_.width + x;
        if (!valid(at) || !(static_cast<double>(values_[at]) > t_.global_threshold)) return false;
        const Window window(y, x, {reach_.y + 2, reach_.x + 2}, image_.height, image_.width);
        double sum = 0;
        std::uint32_t n = 0;
        for (std::size_t i = window.y0; i < window.y1; ++i) {
            double row = 0;
            for (std::size_t j = window.x0; j < window.x1; ++j) {
                const std::size_t other = i * image_.width + j;
                if (!valid(other) || is_kept(i, j)) continue;
                row += static_cast<double>(values_[other]);
                ++n;
            }
            sum += row;
        }
        const double mean = n < 2 ? 0 : sum / n;
        return sum >= 0 && static_cast<double>(values_[at]) >= mean + t_.sigma_s * std::sqrt(t_.gain * mean);
    }

  private:
    auto value(std::size_t at) const {
        if constexpr (real)
            return static_cast<double>(values_[at]);
        else
            return static_cast<std::uint32_t>(values_[at]);
    }

    Sums sums_at(std::size_t y, std::size_t x) const {
        const Window window(y, x, reach_, image_.height, image_.width);
        Sums sums;
        for (std::size_t i = window.y0; i < window.y1; ++i) {
            Sums row;
            for (std::size_t j = window.x0; j < window.x1; ++j) {
                const std::size_t at = i * image_.width + j;
                if (!valid(at) || static_cast<double>(values_[at]) >= sums_limit) continue;
                const auto p = static_cast<Sum>(values_[at]);
                ++row.m;
                row.x += p;
                row.y += Squares{p} * Squares{p};
            }
            sums.m += row.m;
            sums.x += row.x;
            sums.y += row.y;
        }
        return sums;
    }

    ImageView image_;
    const Thresholds& t_;
    DispersionTest test_;
    Reach reach_;
    const T* values_;
};

template <class T>
std::vector<std::uint8_t> all_pixels(const ImageView& image, const Thresholds& thresholds,
                                     Progress& progress) {
    const Definition<T> define(image, thresholds);
    const std::size_t h = image.height, w = image.width;
    const auto fill = [&](const char* stage, const auto& rule) {
        std::vector<std::uint8_t> out(h * w);
        for (std::size_t y = 0; y < h; ++y) {
            progress.report(static_cast<double>(y) / static_cast<double>(h), stage);
            for (std::size_t x = 0; x < w; ++x) out[y * w + x] = rule(y, x) ? 1 : 0;
        }
        return out;
    };
    if (thresholds.algorithm == Algorithm::dispersion)
        return fill("find signal", [&](std::size_t y, std::size_t x) { return define.signal(y, x); });
    const auto dispersed =
        fill("test dispersion", [&](std::size_t y, std::size_t x) { return define.dispersed(y, x); });
    const auto is_dispersed = [&](std::size_t y, std::size_t x) { return dispersed[y * w + x] != 0; };
    const auto kept =
        fill("erode", [&](std::size_t y, std::size_t x) { return define.kept(y, x, is_dispersed); });
    const auto is_kept = [&](std::size_t y, std::size_t x) { return kept[y * w + x] != 0; };
    return fill("find signal", [&](std::size_t y, std::size_t x) {
        return is_kept(y, x) && define.over_background(y, x, is_kept);
    });
}

template <class T>
std::vector<std::uint8_t> some_pixels(const ImageView& image, const Thresholds& thresholds,
                                      std::span<const std::uint32_t> pixels) {
    const Definition<T> define(image, thresholds);
    const auto is_dispersed = [&](std::size_t y, std::size_t x) { return define.dispersed(y, x); };
    const auto is_kept = [&](std::size_t y, std::size_t x) { return define.kept(y, x, is_dispersed); };
    std::vector<std::uint8_t> out;
    out.reserve(pixels.size());
    for (const std::uint32_t pixel : pixels) {
        const std::size_t y = pixel / image.width, x = pixel % image.width;
        const bool basic = thresholds.algorithm == Algorithm::dispersion;
        out.push_back(
            (basic ? define.signal(y, x) : is_kept(y, x) && define.over_background(y, x, is_kept)) ? 1 : 0);
    }
    return out;
}

/// Calls `work` with a value of the pixel type.
template <class Work>
auto with_type(ElementType type, const Work& work) {
    using Result = decltype(work(float{}));
    return visit_element(type, [&](auto zero) -> Result {
        if constexpr (std::is_same_v<decltype(zero), std::uint64_t> || std::is_same_v<decltype(zero), double>)
            throw Error(ErrorKind::run, std::string("unsupported pixel type for spots: ") + name_of(type));
        else
            return work(zero);
    });
}

void require_sizes(const ImageView& image) {
    const std::size_t pixels = image.height * image.width;
    if (image.pixels.size() != pixels * size_of(image.type) || image.ignore.size() != pixels)
        throw Error(ErrorKind::run, "the pixel values and the mask do not match the size of the image");
}

}  // namespace

std::vector<std::uint8_t> reference_signal(const ImageView& image, const Thresholds& thresholds,
                                           Progress& progress) {
    require_sizes(image);
    return with_type(image.type,
                     [&](auto value) { return all_pixels<decltype(value)>(image, thresholds, progress); });
}

std::vector<std::uint8_t> reference_signal_at(const ImageView& image, const Thresholds& thresholds,
                                              std::span<const std::uint32_t> pixels) {
    require_sizes(image);
    return with_type(image.type,
                     [&](auto value) { return some_pixels<decltype(value)>(image, thresholds, pixels); });
}

}  // namespace ks::spots
