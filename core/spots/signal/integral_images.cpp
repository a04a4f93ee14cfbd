
#include "core/spots/signal/reference.h"

#include <algorithm>

#include "core/base/error.h"
#include "core/spots/signal/windowed_image.h"

namespace ks::spots {
namespace {

struct Sums {
    std::uint64_t m = 0, x = 0, y = 0;  ///< count, sum, sum of squares
};

/// Sums over the rectangle of rows before `y` and columns before `x`, [height + 1][width + 1].
template <class T>
class IntegralImages {
  public:
    explicit IntegralImages(const WindowedImage<T>& image)
        : height_(image.height()), width_(image.width()), sums_((height_ + 1) * (width_ + 1)) {
        for (std::size_t y = 0; y < height_; ++y) {
            Sums row;
            for (std::size_t x = 0; x < width_; ++x) {
                const std::size_t at = y * width_ + x;
                if (image.valid(at)) {
                    const std::uint64_t p = image.pixel(at);
                    ++row.m;
                    row.x += p;
                    row.y += p * p;
                }
                const Sums& above = sums_[y * (width_ + 1) + x + 1];
                sums_[(y + 1) * (width_ + 1) + x + 1] = {above.m + row.m, above.x + row.x, above.y + row.y};
            }
        }
    }

    /// Sums of the window around a pixel, clipped at the border.
    Sums window(std::size_t y, std::size_t x, WindowReach reach) const {
        const std::size_t y0 = y - std::min(y, reach.y), y1 = std::min(height_, y + reach.y + 1);
        const std::size_t x0 = x - std::min(x, reach.x), x1 = std::min(width_, x + reach.x + 1);
        const auto at = [&](std::size_t row, std::size_t column) -> const Sums& {
            return sums_[row * (width_ + 1) + column];
        };
        const Sums &a = at(y0, x0), &b = at(y0, x1), &c = at(y1, x0), &d = at(y1, x1);
        return {d.m - b.m - c.m + a.m, d.x - b.x - c.x + a.x, d.y - b.y - c.y + a.y};
    }

  private:
    std::size_t height_, width_;
    std::vector<Sums> sums_;
};

template <class T>
std::vector<std::uint8_t> signal_of(const ImageView& view, const Thresholds& t, Progress& progress) {
    const WindowedImage<T> image(view, t, progress);
    const IntegralImages<T> integral(image);
    const DispersionTest test(t);
    std::vector<std::uint8_t> signal(image.pixels(), 0);
    for (std::size_t y = 0; y < image.height(); ++y) {
        progress.check();
        for (std::size_t x = 0; x < image.width(); ++x) {
            const std::size_t at = y * image.width() + x;
            if (!image.valid(at) || !(image.count(at) > t.global_threshold)) continue;
            const Sums sums = integral.window(y, x, image.reach());
            const auto m = static_cast<std::uint32_t>(sums.m);
            signal[at] = m >= static_cast<std::uint32_t>(t.min_local) &&
                                 test.dispersed(m, sums.x, DispersionTest::Wide{sums.y}) &&
                                 test.strong(m, sums.x, image.pixel(at))
                             ? 1
                             : 0;
        }
    }
    return signal;
}

}  // namespace

std::vector<std::uint8_t> signal_by_integral_images(const ImageView& image, const Thresholds& thresholds,
                                                    Progress& progress) {
    if (thresholds.algorithm != Algorithm::dispersion)
        throw Error(ErrorKind::run, "integral images only support the dispersion algorithm");
    switch (image.type) {
        case ElementType::u8:
            return signal_of<std::uint8_t>(image, thresholds, progress);
        case ElementType::u16:
            return signal_of<std::uint16_t>(image, thresholds, progress);
        case ElementType::i16:
            return signal_of<std::int16_t>(image, thresholds, progress);
        default:
            throw Error(ErrorKind::run, std::string("64-bit integral images do not support pixels of type ") +
                                            name_of(image.type));
    }
}

}  // namespace ks::spots
