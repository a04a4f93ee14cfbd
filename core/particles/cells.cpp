#include "core/particles/cells.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <limits>
#include <utility>

#include "core/base/parallel.h"
#include "core/base/threads.h"

namespace ks::particles {
namespace {

constexpr unsigned bits = 10;  ///< of a step along a side
constexpr std::size_t points_at_once = 16384;

/// Spreads the bits of a step, with room for those of two others in between.
std::uint32_t spread(std::uint32_t step) {
    step = (step | step << 16) & 0x030000FF;
    step = (step | step << 8) & 0x0300F00F;
    step = (step | step << 4) & 0x030C30C3;
    return (step | step << 2) & 0x09249249;
}

constexpr std::size_t codes_at_once = 16;
/// Steps along x, y and z of some points.
using Steps = std::array<std::array<std::uint32_t, codes_at_once>, 3>;

/// Positions along Hilbert's curve, where neighbours share a side (J. Skilling, Programming the Hilbert
/// curve, AIP Conference Proceedings 707, 2004). Branch-free and for several points at once, so that
/// compilers vectorise it.
std::array<std::uint32_t, codes_at_once> places_of(Steps steps) {
    std::array<std::uint32_t, codes_at_once>& x = steps[0];
    std::array<std::uint32_t, codes_at_once>& y = steps[1];
    std::array<std::uint32_t, codes_at_once>& z = steps[2];
    for (unsigned bit = bits - 1; bit > 0; --bit) {
        const std::uint32_t below = (1u << bit) - 1;
        const auto turn = [&](std::array<std::uint32_t, codes_at_once>& axis) {
            for (std::size_t i = 0; i < codes_at_once; ++i) {
                const std::uint32_t is_set = 0u - (axis[i] >> bit & 1);
                const std::uint32_t exchanged = (x[i] ^ axis[i]) & below & ~is_set;
                x[i] ^= exchanged | (below & is_set);
                axis[i] ^= exchanged;
            }
        };
        for (std::uint32_t& step : x) step ^= below & (0u - (step >> bit & 1));
        turn(y);
        turn(z);
    }
    std::array<std::uint32_t, codes_at_once> turned{}, places;
    for (std::size_t i = 0; i < codes_at_once; ++i) {
        y[i] ^= x[i];
        z[i] ^= y[i];
    }
    for (unsigned bit = bits - 1; bit > 0; --bit)
        for (std::size_t i = 0; i < codes_at_once; ++i)
            turned[i] ^= ((1u << bit) - 1) & (0u - (z[i] >> bit & 1));
    for (std::size_t i = 0; i < codes_at_once; ++i)
        places[i] = spread(x[i] ^ turned[i]) << 2 | spread(y[i] ^ turned[i]) << 1 | spread(z[i] ^ turned[i]);
    return places;
}

/// Steps along a side; low + length * 2^bits belongs to the last.
struct Side {
    explicit Side(const std::vector<double>& values) {
        const auto [minimum, maximum] = std::ranges::minmax(values);
        low = minimum;
        scale = maximum > minimum ? (1u << bits) / (maximum - minimum) : 0;
    }
    std::uint32_t step(double value) const {
        return static_cast<std::uint32_t>(std::min((1u << bits) - 1.0, (value - low) * scale));
    }
    double low = 0, scale = 0;
};

/// work(begin, end) for parts of [0, n), at_once each, on all cores.
void in_parts(std::size_t n, std::size_t at_once, const std::function<void(std::size_t, std::size_t)>& work) {
    Progress quiet;
    parallel_for((n + at_once - 1) / at_once, compute_threads(), quiet,
                 [&](std::size_t i) { work(i * at_once, std::min(n, (i + 1) * at_once)); });
}

/// Radix sort of `keyed`, positions with their rows in the low bits, by one digit of `bits` at a time.
std::vector<std::uint32_t> sorted_rows(std::vector<std::uint64_t> keyed) {
    constexpr unsigned digits = 3, of_row = 32;
    constexpr std::size_t values = 1u << bits;
    const auto digit_of = [](std::uint64_t key, unsigned digit) {
        return key >> (of_row + digit * bits) & (values - 1);
    };
    std::array<std::array<std::size_t, values + 1>, digits> starts{};
    for (const std::uint64_t key : keyed)
        for (unsigned digit = 0; digit < digits; ++digit) ++starts[digit][digit_of(key, digit) + 1];
    std::vector<std::uint64_t> next(keyed.size());
    for (unsigned digit = 0; digit < digits; ++digit) {
        std::array<std::size_t, values + 1>& to = starts[digit];
        for (std::size_t i = 1; i < to.size(); ++i) to[i] += to[i - 1];
        for (const std::uint64_t key : keyed) next[to[digit_of(key, digit)]++] = key;
        keyed.swap(next);
    }
    std::vector<std::uint32_t> rows(keyed.size());
    for (std::size_t i = 0; i < rows.size(); ++i) rows[i] = static_cast<std::uint32_t>(keyed[i]);
    return rows;
}

}  // namespace

std::vector<std::uint32_t> spatial_order(const PointSet& points) {
    if (points.size() == 0) return {};
    const Side x(points.x), y(points.y), z(points.z);
    std::vector<std::uint64_t> keyed(points.size());
    in_parts(points.size(), points_at_once, [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; i += codes_at_once) {
            const std::size_t some = std::min(codes_at_once, end - i);
            Steps steps{};
            for (std::size_t k = 0; k < some; ++k) {
                steps[0][k] = x.step(points.x[i + k]);
                steps[1][k] = y.step(points.y[i + k]);
                steps[2][k] = z.step(points.z[i + k]);
            }
            const auto places = places_of(steps);
            for (std::size_t k = 0; k < some; ++k) keyed[i + k] = std::uint64_t{places[k]} << 32 | (i + k);
        }
    });
    return sorted_rows(std::move(keyed));
}

PointSet reordered(const PointSet& points, const std::vector<std::uint32_t>& order) {
    PointSet out;
    for (std::vector<double>* to : {&out.x, &out.y, &out.z}) to->resize(order.size());
    in_parts(order.size(), points_at_once, [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i) {
            out.x[i] = points.x[order[i]];
            out.y[i] = points.y[order[i]];
            out.z[i] = points.z[order[i]];
        }
    });
    return out;
}

Cells in_cells(const std::vector<float>& xyzw, const std::vector<std::uint32_t>& order, std::size_t size,
               float widest) {
    Cells out;
    out.xyzw.resize(xyzw.size());
    const std::size_t count = (order.size() + size - 1) / size;
    out.cells.resize(4 * count);
    const auto fill = [&](std::size_t cell) {
        const std::size_t start = cell * size, stop = std::min(order.size(), start + size);
        // In size_t: 4 times a row number may not fit in 32 bits.
        for (std::size_t i = start; i < stop; ++i)
            std::copy_n(&xyzw[4 * std::size_t{order[i]}], 4, &out.xyzw[4 * i]);
        float* const middle = &out.cells[4 * cell];
        for (std::size_t axis = 0; axis < 3; ++axis) {
            float low = std::numeric_limits<float>::infinity(), high = -low;
            for (std::size_t i = start; i < stop; ++i) {
                low = std::min(low, out.xyzw[4 * i + axis]);
                high = std::max(high, out.xyzw[4 * i + axis]);
            }
            middle[axis] = low / 2 + high / 2;
        }
        const auto radius = [&] {
            float largest = 0;
            for (std::size_t i = start; i < stop; ++i) {
                float square = 0;
                for (std::size_t axis = 0; axis < 3; ++axis) {
                    const float difference = out.xyzw[4 * i + axis] - middle[axis];
                    square += difference * difference;
                }
                largest = std::max(largest, square);
            }
            return std::sqrt(largest);
        };
        middle[3] = radius();
        if (middle[3] > widest) {
            std::fill_n(middle, 3, 0.0f);
            middle[3] = radius();
        }
        for (std::size_t i = start; i < stop; ++i)
            for (std::size_t axis = 0; axis < 3; ++axis) out.xyzw[4 * i + axis] -= middle[axis];
    };
    in_parts(count, std::max<std::size_t>(1, points_at_once / size), [&](std::size_t begin, std::size_t end) {
        for (std::size_t cell = begin; cell < end; ++cell) fill(cell);
    });
    return out;
}

}  // namespace ks::particles
