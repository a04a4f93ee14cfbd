#include "core/particles/cells.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace ks::particles {
namespace {

constexpr unsigned bits = 10;  ///< of a step along a side

/// Bits of a step with two others' places between them.
std::uint32_t spread(std::uint32_t step) {
    step = (step | step << 16) & 0x030000FF;
    step = (step | step << 8) & 0x0300F00F;
    step = (step | step << 4) & 0x030C30C3;
    return (step | step << 2) & 0x09249249;
}

void add_steps(const std::vector<double>& values, unsigned shift, std::vector<std::uint32_t>& keys) {
    const auto [low, high] = std::ranges::minmax(values);
    const double length = high - low, most = (1u << bits) - 1;
    if (!(length > 0)) return;
    for (std::size_t i = 0; i < values.size(); ++i)
        keys[i] |= spread(static_cast<std::uint32_t>(std::min(most, (values[i] - low) / length * (most + 1))))
                   << shift;
}

/// Sorts by keys of 3 `bits`, a digit of `bits` at a time.
std::vector<std::uint32_t> sorted_rows(const std::vector<std::uint32_t>& keys) {
    std::vector<std::uint32_t> rows(keys.size()), next(keys.size());
    for (std::size_t i = 0; i < rows.size(); ++i) rows[i] = static_cast<std::uint32_t>(i);
    for (unsigned digit = 0; digit < 3; ++digit) {
        const auto of = [&](std::uint32_t row) { return keys[row] >> digit * bits & ((1u << bits) - 1); };
        std::array<std::size_t, (1u << bits) + 1> starts{};
        for (const std::uint32_t row : rows) ++starts[of(row) + 1];
        for (std::size_t i = 1; i < starts.size(); ++i) starts[i] += starts[i - 1];
        for (const std::uint32_t row : rows) next[starts[of(row)]++] = row;
        rows.swap(next);
    }
    return rows;
}

}  // namespace

std::vector<std::uint32_t> spatial_order(const PointSet& points) {
    if (points.size() == 0) return {};
    std::vector<std::uint32_t> keys(points.size());
    add_steps(points.x, 2, keys);
    add_steps(points.y, 1, keys);
    add_steps(points.z, 0, keys);
    return sorted_rows(keys);
}

PointSet reordered(const PointSet& points, const std::vector<std::uint32_t>& order) {
    PointSet out;
    const auto take = [&](const std::vector<double>& from, std::vector<double>& to) {
        to.reserve(order.size());
        for (const std::uint32_t row : order) to.push_back(from[row]);
    };
    take(points.x, out.x);
    take(points.y, out.y);
    take(points.z, out.z);
    return out;
}

Cells in_cells(const std::vector<float>& xyzw, const std::vector<std::uint32_t>& order, std::size_t size) {
    Cells out;
    // In size_t: 4 times a row number may not fit 32 bits.
    const auto value = [&](std::size_t i, std::size_t place) {
        return xyzw[4 * std::size_t{order[i]} + place];
    };
    out.xyzw.resize(xyzw.size());
    for (std::size_t start = 0; start < order.size(); start += size) {
        const std::size_t stop = std::min(order.size(), start + size);
        std::array<float, 3> middle{};
        for (std::size_t axis = 0; axis < 3; ++axis) {
            float low = std::numeric_limits<float>::infinity(), high = -low;
            for (std::size_t i = start; i < stop; ++i) {
                low = std::min(low, value(i, axis));
                high = std::max(high, value(i, axis));
            }
            middle[axis] = low / 2 + high / 2;
        }
        float largest = 0;
        for (std::size_t i = start; i < stop; ++i) {
            float square = 0;
            for (std::size_t axis = 0; axis < 3; ++axis) {
                const float difference = value(i, axis) - middle[axis];
                out.xyzw[4 * i + axis] = difference;
                square += difference * difference;
            }
            out.xyzw[4 * i + 3] = value(i, 3);
            largest = std::max(largest, square);
        }
        out.cells.insert(out.cells.end(), {middle[0], middle[1], middle[2], std::sqrt(largest)});
    }
    return out;
}

}  // namespace ks::particles
