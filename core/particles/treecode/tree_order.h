#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>

#include "core/base/memory/raw_vector.h"
#include "core/particles/treecode/cluster_tree.h"

namespace ks::particles {

constexpr unsigned key_bits = 21;  ///< of a step along a side of the bounding cube of all points

/// A point at its position in the order of a tree, with its Morton key of 3 x 21 bits, x first.
template <class T>
struct KeyedPoint {
    std::uint64_t key;
    std::array<T, 3> at;
    std::uint32_t row;
};

/// Sorts points by ascending key, except within leaves, whose points are contiguous in an order that depends
/// only on the points. Points are distributed to buckets by the leading bits of their keys; buckets are then
/// halved one by one.
/// @param order filled with their row numbers
template <class T>
RawVector<KeyedPoint<T>> sort_points(Coordinates<T>& points, RawVector<std::uint32_t>& order,
                                     std::size_t leaf, unsigned threads);

/// Minimum and maximum of at least one finite value.
template <class T>
std::pair<T, T> extremes(std::span<const T> values) {
    constexpr std::size_t lanes = 16;  // compilers vectorise over them
    std::array<T, lanes> low, high;
    low.fill(values[0]);
    high.fill(values[0]);
    std::size_t i = 0;
    for (; i + lanes <= values.size(); i += lanes)
        for (std::size_t k = 0; k < lanes; ++k) {
            const T value = values[i + k];
            low[k] = value < low[k] ? value : low[k];
            high[k] = high[k] < value ? value : high[k];
        }
    for (std::size_t k = 0; i < values.size(); ++i, ++k) {
        low[k] = values[i] < low[k] ? values[i] : low[k];
        high[k] = high[k] < values[i] ? values[i] : high[k];
    }
    for (std::size_t k = 1; k < lanes; ++k) {
        low[0] = low[k] < low[0] ? low[k] : low[0];
        high[0] = high[0] < high[k] ? high[k] : high[0];
    }
    return {low[0], high[0]};
}

}  // namespace ks::particles
