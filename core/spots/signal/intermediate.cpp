#include "core/spots/signal/intermediate.h"

#include <cmath>
#include <cstddef>
#include <limits>
#include <span>
#include <type_traits>

#include "core/base/error.h"
#include "core/spots/signal/windowed_image.h"

namespace ks::spots {
namespace {

constexpr float nan = std::numeric_limits<float>::quiet_NaN();

constexpr auto every_pixel = [](std::size_t) { return true; };

template <class T>
class Intermediates {
    using Sums = WindowSums<T>;
    using Pixel = typename WindowedImage<T>::Pixel;

  public:
    Intermediates(const ImageView& image, const Thresholds& thresholds, Progress& progress)
        : image_(image, thresholds, progress),
          test_(thresholds),
          min_(static_cast<std::uint32_t>(thresholds.min_local)) {}

    void numbers(Intermediate kind, std::span<float> out) const {
        if (kind == Intermediate::image) {
            image_.rows([&](std::size_t y) {
                for (std::size_t at = y * image_.width(); at < (y + 1) * image_.width(); ++at)
                    out[at] = image_.valid(at) ? static_cast<float>(image_.count(at)) : nan;
            });
            return;
        }
        image_.windows(image_.reach(), every_pixel, [&](std::size_t y, const Sums& sums) {
            for (std::size_t x = 0, at = y * image_.width(); x < image_.width(); ++x, ++at)
                out[at] =
                    image_.valid(at) && sums.m(x) >= min_ ? static_cast<float>(number(kind, sums, x)) : nan;
        });
    }

    void tests(Intermediate kind, std::span<std::uint8_t> out) const {
        if (kind == Intermediate::threshold &&
            image_.thresholds().algorithm == Algorithm::dispersion_extended)
            return extended(out);
        if (kind == Intermediate::global) {
            image_.rows([&](std::size_t y) {
                for (std::size_t at = y * image_.width(); at < (y + 1) * image_.width(); ++at)
                    out[at] = image_.valid(at) && over_global(at) ? 1 : 0;
            });
            return;
        }
        image_.windows(image_.reach(), every_pixel, [&](std::size_t y, const Sums& sums) {
            for (std::size_t x = 0, at = y * image_.width(); x < image_.width(); ++x, ++at)
                out[at] = image_.valid(at) && sums.m(x) >= min_ && holds(kind, sums, x, at) ? 1 : 0;
        });
    }

  private:
    static double mean(const Sums& sums, std::size_t x) {
        return static_cast<double>(sums.sum(x)) / sums.m(x);
    }

    static double variance(const Sums& sums, std::size_t x) {
        const std::uint32_t m = sums.m(x);
        const auto sum = sums.sum(x);
        double spread = 0;
        if constexpr (std::is_floating_point_v<T>)
            spread = std::max(0.0, m * sums.squares(x) - sum * sum);
        else
            spread = static_cast<double>(m * DispersionTest::Wide{sums.squares(x)} -
                                         DispersionTest::Wide{sum} * sum);
        return spread / (static_cast<double>(m) * (m - 1));
    }

    static double number(Intermediate kind, const Sums& sums, std::size_t x) {
        if (kind == Intermediate::mean) return mean(sums, x);
        if (kind == Intermediate::variance) return variance(sums, x);
        return mean(sums, x) == 0 ? static_cast<double>(nan) : variance(sums, x) / mean(sums, x);
    }

    bool over_global(std::size_t at) const { return image_.count(at) > image_.thresholds().global_threshold; }

    bool dispersed(const Sums& sums, std::size_t x) const {
        return test_.dispersed(sums.m(x), sums.sum(x), sums.squares(x));
    }

    bool strong(const Sums& sums, std::size_t x, std::size_t at) const {
        const Pixel p = image_.pixel(at);
        // Most pixels are not even above the mean, so they cannot be strong.
        if constexpr (!std::is_floating_point_v<T>)
            if (std::uint64_t{sums.m(x)} * p <= sums.sum(x)) return false;
        return test_.strong(sums.m(x), sums.sum(x), p);
    }

    bool holds(Intermediate kind, const Sums& sums, std::size_t x, std::size_t at) const {
        if (kind == Intermediate::sigma_b) return dispersed(sums, x);
        if (kind == Intermediate::sigma_s) return strong(sums, x, at);
        return over_global(at) && strong(sums, x, at) && dispersed(sums, x);
    }

    /// Pixels whose surroundings are all dispersed or invalid: (1) and (2) of reference_signal(). By the
    /// older rule, invalid ones do not count.
    std::vector<std::uint8_t> kept() const {
        const bool older = image_.thresholds().extended_rule == ExtendedRule::older;
        std::vector<std::uint8_t> calm(image_.pixels()), kept(image_.pixels());
        image_.windows(image_.reach(), every_pixel, [&](std::size_t y, const Sums& sums) {
            for (std::size_t x = 0, at = y * image_.width(); x < image_.width(); ++x, ++at)
                calm[at] = image_.valid(at) ? !(sums.m(x) >= min_ && dispersed(sums, x)) : older;
        });
        const auto r = static_cast<std::size_t>(
            std::min(image_.thresholds().kernel_x, image_.thresholds().kernel_y) - 1);
        image_.windows({r, r}, calm, [&](std::size_t y, const WindowSums<std::uint8_t>& sums) {
            for (std::size_t x = 0; x < image_.width(); ++x)
                kept[y * image_.width() + x] = sums.sum(x) == 0 ? 1 : 0;
        });
        return kept;
    }

    /// (3) and (4).
    void extended(std::span<std::uint8_t> out) const {
        const std::vector<std::uint8_t> foreground = kept();
        const auto background = [&](std::size_t at) { return foreground[at] == 0; };
        const Thresholds& t = image_.thresholds();
        image_.windows(image_.reach(2), background, [&](std::size_t y, const Sums& sums) {
            for (std::size_t x = 0, at = y * image_.width(); x < image_.width(); ++x, ++at) {
                if (foreground[at] == 0 || !image_.valid(at) || !over_global(at)) continue;
                const double around = sums.m(x) < 2 ? 0 : mean(sums, x);
                const bool beyond = image_.count(at) >= around + t.sigma_s * std::sqrt(t.gain * around);
                out[at] = sums.sum(x) >= 0 && beyond ? 1 : 0;
            }
        });
    }

    WindowedImage<T> image_;
    DispersionTest test_;
    std::uint32_t min_;
};

bool is_test(Intermediate kind) {
    return kind == Intermediate::sigma_b || kind == Intermediate::sigma_s || kind == Intermediate::global ||
           kind == Intermediate::threshold;
}

void require_image(const ImageView& image) {
    const std::size_t pixels = image.height * image.width;
    if (image.pixels.size() != pixels * size_of(image.type) || image.ignore.size() != pixels)
        throw Error(ErrorKind::run, "the pixel values and the mask do not match the size of the image");
    if (image.type == ElementType::u64 || image.type == ElementType::f64)
        throw Error(ErrorKind::run, std::string("unsupported pixel type for spots: ") + name_of(image.type));
}

}  // namespace

const std::vector<IntermediateInfo>& intermediates() {
    static const std::vector<IntermediateInfo> table = {
        {Intermediate::image, "image", "Image"},
        {Intermediate::mean, "mean", "Mean"},
        {Intermediate::variance, "variance", "Variance"},
        {Intermediate::dispersion_index, "dispersion_index", "Index of dispersion"},
        {Intermediate::sigma_b, "sigma_b", "Dispersed windows"},
        {Intermediate::sigma_s, "sigma_s", "Strong pixels"},
        {Intermediate::global, "global", "Above the global threshold"},
        {Intermediate::threshold, "threshold", "Signal"}};
    return table;
}

Array intermediate_image(const ImageView& image, const Thresholds& thresholds, Intermediate kind,
                         Progress& progress) {
    require_image(image);
    const bool test = is_test(kind);
    Array out(test ? ElementType::u8 : ElementType::f32, {image.height, image.width});
    progress.report(0, "sum windows");
    visit_element(image.type, [&](auto zero) {
        const Intermediates<decltype(zero)> all(image, thresholds, progress);
        if (test)
            all.tests(kind, out.as<std::uint8_t>());
        else
            all.numbers(kind, out.as<float>());
    });
    progress.report(1, "sum windows");
    return out;
}

}  // namespace ks::spots
