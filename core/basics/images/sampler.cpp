#include "core/basics/images/sampler.h"

#include <algorithm>
#include <cmath>
#include <optional>

namespace ks::basics {
namespace {

/// Of a coordinate along one side, the pixel before and its distance to the centre of that pixel.
struct Before {
    double pixel = 0, fraction = 0;
};

/// The coordinate as the mode maps it before pixels are chosen.
double mapped(Addressing addressing, double u, std::size_t size) {
    const auto w = static_cast<double>(size);
    if (addressing == Addressing::repeat) return (u / w - std::floor(u / w)) * w;
    if (addressing == Addressing::mirrored_repeat) return std::abs(u / w - 2 * std::rint(0.5 * u / w)) * w;
    return u;
}

/// The pixel of that number as the mode takes it; nothing: the colour of the border.
std::optional<std::size_t> taken(Addressing addressing, double pixel, std::size_t size) {
    const double last = static_cast<double>(size) - 1;
    if (addressing == Addressing::repeat) {
        const auto w = static_cast<double>(size);
        pixel -= std::floor(pixel / w) * w;
    }
    if (addressing == Addressing::clamp && (pixel < 0 || pixel > last)) return std::nullopt;
    return static_cast<std::size_t>(std::clamp(pixel, 0.0, last));
}

double pixel_value(const Picture& picture, Addressing addressing, double i, double j) {
    const auto x = taken(addressing, i, picture.width), y = taken(addressing, j, picture.height);
    return x && y ? static_cast<double>(picture.values[*y * picture.width + *x]) : 0.0;
}

Before before(Addressing addressing, double u, std::size_t size) {
    const double from_centre = mapped(addressing, u, size) - 0.5;
    return {std::floor(from_centre), from_centre - std::floor(from_centre)};
}

}  // namespace

double nearest_value(const Picture& picture, Addressing addressing, double u, double v) {
    return pixel_value(picture, addressing, std::floor(mapped(addressing, u, picture.width)),
                       std::floor(mapped(addressing, v, picture.height)));
}

double linear_value(const Picture& picture, Addressing addressing, double u, double v) {
    const Before x = before(addressing, u, picture.width), y = before(addressing, v, picture.height);
    const auto at = [&](double i, double j) {
        return pixel_value(picture, addressing, x.pixel + i, y.pixel + j);
    };
    const double a = x.fraction, b = y.fraction;
    return (1 - a) * (1 - b) * at(0, 0) + a * (1 - b) * at(1, 0) + (1 - a) * b * at(0, 1) + a * b * at(1, 1);
}

Range values_around(const Picture& picture, Addressing addressing, double u, double v) {
    const Before x = before(addressing, u, picture.width), y = before(addressing, v, picture.height);
    Range range{pixel_value(picture, addressing, x.pixel, y.pixel),
                pixel_value(picture, addressing, x.pixel, y.pixel)};
    for (int j = -1; j <= 2; ++j)
        for (int i = -1; i <= 2; ++i) {
            const double value = pixel_value(picture, addressing, x.pixel + i, y.pixel + j);
            range = {std::min(range.low, value), std::max(range.high, value)};
        }
    return range;
}

}  // namespace ks::basics
