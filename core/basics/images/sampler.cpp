#include "core/basics/images/sampler.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>

namespace ks::basics {
namespace {

/// For a coordinate along one side: the preceding pixel and the distance to its centre.
struct Before {
    double pixel = 0, fraction = 0;
};

/// The coordinate as mapped by the mode before pixels are chosen.
double mapped(Addressing addressing, double u, std::size_t size) {
    const auto w = static_cast<double>(size);
    if (addressing == Addressing::repeat) return (u / w - std::floor(u / w)) * w;
    if (addressing == Addressing::mirrored_repeat) return std::abs(u / w - 2 * std::rint(0.5 * u / w)) * w;
    return u;
}

/// The pixel number as mapped by the mode; empty: the border colour.
std::optional<std::size_t> taken(Addressing addressing, double pixel, std::size_t size) {
    const double last = static_cast<double>(size) - 1;
    if (addressing == Addressing::repeat) {
        const auto w = static_cast<double>(size);
        pixel -= std::floor(pixel / w) * w;
    }
    if (addressing == Addressing::clamp && (pixel < 0 || pixel > last)) return std::nullopt;
    return static_cast<std::size_t>(std::clamp(pixel, 0.0, last));
}

/// Along a picture's three directions.
template <class T>
using Along = std::array<T, 3>;

Along<std::size_t> sizes_of(const Picture& picture) {
    return {picture.width, picture.height, picture.depth};
}

/// @param at indices of the pixel
double pixel_value(const Picture& picture, Addressing addressing, const Along<double>& at) {
    const Along<std::size_t> sizes = sizes_of(picture);
    Along<std::size_t> taken_at{};
    for (std::size_t i = 0; i < sizes.size(); ++i) {
        const auto one =
            taken(i < picture.dimensions ? addressing : Addressing::clamp_to_edge, at[i], sizes[i]);
        if (!one) return 0;
        taken_at[i] = *one;
    }
    const auto [x, y, z] = taken_at;
    return static_cast<double>(picture.values[(z * picture.height + y) * picture.width + x]);
}

Before before(Addressing addressing, double u, std::size_t size) {
    const double from_centre = mapped(addressing, u, size) - 0.5;
    return {std::floor(from_centre), from_centre - std::floor(from_centre)};
}

/// The preceding pixels; for layers the addressed one.
Along<Before> before(const Picture& picture, Addressing addressing, const Along<double>& at) {
    const Along<std::size_t> sizes = sizes_of(picture);
    Along<Before> all;
    for (std::size_t i = 0; i < sizes.size(); ++i)
        all[i] = i < picture.dimensions ? before(addressing, at[i], sizes[i]) : Before{std::floor(at[i]), 0};
    return all;
}

/// Calls with each of count^dimensions steps from the preceding pixel: first, first +
/// 1, ... in each direction.
template <class Call>
void each_around(const Picture& picture, int first, int count, const Call& call) {
    const int steps_y = picture.dimensions > 1 ? count : 1, steps_z = picture.dimensions > 2 ? count : 1;
    for (int z = 0; z < steps_z; ++z)
        for (int y = 0; y < steps_y; ++y)
            for (int x = 0; x < count; ++x)
                call(Along<int>{first + x, steps_y > 1 ? first + y : 0, steps_z > 1 ? first + z : 0});
}

double value_beside(const Picture& picture, Addressing addressing, const Along<Before>& from,
                    const Along<int>& step) {
    return pixel_value(picture, addressing,
                       {from[0].pixel + step[0], from[1].pixel + step[1], from[2].pixel + step[2]});
}

}  // namespace

double nearest_value(const Picture& picture, Addressing addressing, double u, double v, double w) {
    const Along<std::size_t> sizes = sizes_of(picture);
    Along<double> at = {u, v, w};
    for (std::size_t i = 0; i < at.size(); ++i)
        at[i] = std::floor(i < picture.dimensions ? mapped(addressing, at[i], sizes[i]) : at[i]);
    return pixel_value(picture, addressing, at);
}

double linear_value(const Picture& picture, Addressing addressing, double u, double v, double w) {
    const Along<Before> from = before(picture, addressing, {u, v, w});
    double sum = 0;
    each_around(picture, 0, 2, [&](const Along<int>& step) {
        double weight = 1;
        for (std::size_t i = 0; i < picture.dimensions; ++i)
            weight *= step[i] == 1 ? from[i].fraction : 1 - from[i].fraction;
        sum += weight * value_beside(picture, addressing, from, step);
    });
    return sum;
}

Range values_around(const Picture& picture, Addressing addressing, double u, double v, double w) {
    const Along<Before> from = before(picture, addressing, {u, v, w});
    const double here = value_beside(picture, addressing, from, {});
    Range range{here, here};
    each_around(picture, -1, 4, [&](const Along<int>& step) {
        const double value = value_beside(picture, addressing, from, step);
        range = {std::min(range.low, value), std::max(range.high, value)};
    });
    return range;
}

}  // namespace ks::basics
