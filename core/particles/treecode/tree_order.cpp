#include "core/particles/treecode/tree_order.h"

#include <algorithm>
#include <bit>
#include <limits>
#include <numeric>
#include <vector>

#include "core/base/parallel.h"

namespace ks::particles {
namespace {

constexpr unsigned bucket_bits = 12;  // of a key, four per axis
constexpr std::size_t buckets = std::size_t{1} << bucket_bits;

std::size_t bucket_of(std::uint64_t key) {
    return static_cast<std::size_t>(key >> (3 * key_bits - bucket_bits));
}

/// Chunks of all points; their number depends only on that of the points.
struct Chunks {
    std::size_t points, size;

    explicit Chunks(std::size_t n) : points(n), size(std::max<std::size_t>(8192, (n + 63) / 64)) {}
    std::size_t count() const { return (points + size - 1) / size; }
    /// work(begin, end, chunk)
    template <class Work>
    void each(unsigned threads, const Work& work) const {
        parallel_for(count(), threads,
                     [&](std::size_t i) { work(i * size, std::min(points, (i + 1) * size), i); });
    }
};

/// The bounding cube of all points.
template <class T>
struct Cube {
    std::array<T, 3> low{};
    T steps = 0;  ///< of a key, per unit of length
};

template <class T>
Cube<T> cube_of(const Coordinates<T>& points, const Chunks& chunks, unsigned threads) {
    std::vector<std::array<std::pair<T, T>, 3>> of_chunks(chunks.count());
    chunks.each(threads, [&](std::size_t begin, std::size_t end, std::size_t chunk) {
        for (std::size_t axis = 0; axis < 3; ++axis)
            of_chunks[chunk][axis] =
                extremes(std::span<const T>(points.of[axis]).subspan(begin, end - begin));
    });
    Cube<T> cube;
    double longest = 0;
    for (std::size_t axis = 0; axis < 3; ++axis) {
        auto [low, high] = of_chunks.front()[axis];
        for (const auto& of_chunk : of_chunks) {
            low = std::min(low, of_chunk[axis].first);
            high = std::max(high, of_chunk[axis].second);
        }
        cube.low[axis] = low;
        longest = std::max(longest, static_cast<double>(high) - static_cast<double>(low));
    }
    if (longest > 0)
        cube.steps = static_cast<T>(
            std::min((1u << key_bits) / longest, static_cast<double>(std::numeric_limits<T>::max())));
    return cube;
}

/// Spreads the bits of a step, with room for those of two others in between.
std::uint64_t spread(std::uint64_t step) {
    step = (step | step << 32) & 0x001F00000000FFFF;
    step = (step | step << 16) & 0x001F0000FF0000FF;
    step = (step | step << 8) & 0x100F00F00F00F00F;
    step = (step | step << 4) & 0x10C30C30C30C30C3;
    return (step | step << 2) & 0x1249249249249249;
}

constexpr std::size_t keys_at_once = 256;  // they stay in the L1 cache

/// Steps of a key along an axis.
template <class T>
void make_steps(const T* values, T low, T scale, std::size_t count, std::uint32_t* steps) {
    constexpr T last = (1u << key_bits) - 1;
    for (std::size_t i = 0; i < count; ++i) {
        const T step = (values[i] - low) * scale;
        // Via signed integers, whose conversion is a single instruction.
        steps[i] = static_cast<std::uint32_t>(static_cast<std::int32_t>(step < last ? step : last));
    }
}

/// Interleaves the bits of points' steps along the axes, for at most keys_at_once points from `first` on.
/// @param apart(step) its bits with room for those of two others in between
template <class T, class Key, class Apart>
void interleave(const Coordinates<T>& points, const Cube<T>& cube, std::size_t first, std::size_t count,
                Key* keys, const Apart& apart) {
    std::array<std::uint32_t, keys_at_once> steps;
    std::fill_n(keys, count, Key{0});
    for (std::size_t axis = 0; axis < 3; ++axis) {
        make_steps(points.of[axis].data() + first, cube.low[axis], cube.steps, count, steps.data());
        for (std::size_t i = 0; i < count; ++i) keys[i] |= apart(steps[i]) << (2 - axis);
    }
}

/// bucket_of() the keys of such steps, from their leading bits alone.
std::uint32_t first_bits_apart(std::uint32_t step) {
    std::uint32_t bits = step >> (key_bits - bucket_bits / 3);
    bits = (bits | bits << 4) & 0x0C3;
    return (bits | bits << 2) & 0x249;
}

/// work(point, key) for points [begin, end).
template <class T, class Work>
void with_keys(const Coordinates<T>& points, const Cube<T>& cube, std::size_t begin, std::size_t end,
               const Work& work) {
    std::array<std::uint64_t, keys_at_once> keys;
    for (std::size_t from = begin; from < end; from += keys_at_once) {
        const std::size_t count = std::min(keys_at_once, end - from);
        interleave(points, cube, from, count, keys.data(), [](std::uint64_t step) { return spread(step); });
        for (std::size_t i = 0; i < count; ++i) work(from + i, keys[i]);
    }
}

/// Turns the numbers of points, [chunk][bucket], into the offset of each chunk's first point in each bucket.
/// @return the offsets of the buckets, and the end
std::vector<std::uint32_t> place_buckets(RawVector<std::uint32_t>& counts, std::size_t chunks,
                                         unsigned threads) {
    std::vector<std::uint32_t> starts(buckets + 1);
    constexpr std::size_t at_once = 256;
    const auto over_buckets = [&](const auto& work) {
        parallel_for(buckets / at_once, threads, [&](std::size_t some) {
            for (std::size_t chunk = 0; chunk < chunks; ++chunk)
                for (std::size_t b = some * at_once; b < (some + 1) * at_once; ++b)
                    work(counts[chunk * buckets + b], starts[b]);
        });
    };
    over_buckets([](std::uint32_t count, std::uint32_t& all) { all += count; });
    std::exclusive_scan(starts.begin(), starts.end(), starts.begin(), std::uint32_t{0});
    std::vector<std::uint32_t> of_buckets = starts;
    over_buckets([](std::uint32_t& count, std::uint32_t& next) {
        const std::uint32_t own = count;
        count = next;
        next += own;
    });
    return of_buckets;
}

/// Halves points recursively by the first bit in which their keys differ, until at most `leaf` are together.
template <class T>
void arrange(KeyedPoint<T>* begin, KeyedPoint<T>* end, std::size_t leaf) {
    constexpr std::ptrdiff_t worth_a_thread = 32768;
    std::vector<Pending<void>> halves;
    while (static_cast<std::size_t>(end - begin) > leaf) {
        std::uint64_t differ = 0;
        for (const KeyedPoint<T>* one = begin; one != end; ++one) differ |= one->key ^ begin->key;
        if (differ == 0) return;
        const auto bit = static_cast<unsigned>(std::bit_width(differ)) - 1;
        KeyedPoint<T>* const middle =
            std::partition(begin, end, [bit](const KeyedPoint<T>& one) { return (one.key >> bit & 1) == 0; });
        if (middle - begin > worth_a_thread)
            halves.push_back(beside([begin, middle, leaf] { arrange(begin, middle, leaf); }));
        else
            arrange(begin, middle, leaf);
        begin = middle;
    }
}

/// Back to arrays, from `first` on.
template <class T>
void unpack(std::span<const KeyedPoint<T>> sorted, std::size_t first, Coordinates<T>& points,
            RawVector<std::uint32_t>& order) {
    for (std::size_t i = 0; i < sorted.size(); ++i) {
        order[first + i] = sorted[i].row;
        for (std::size_t axis = 0; axis < 3; ++axis) points.of[axis][first + i] = sorted[i].at[axis];
    }
}

}  // namespace

template <class T>
RawVector<KeyedPoint<T>> sort_points(Coordinates<T>& points, RawVector<std::uint32_t>& order,
                                     std::size_t leaf, unsigned threads) {
    const std::size_t n = points.size();
    const Chunks chunks(n);
    const Cube<T> cube = cube_of(points, chunks, threads);
    RawVector<std::uint32_t> places(chunks.count() * buckets);
    chunks.each(threads, [&](std::size_t begin, std::size_t end, std::size_t chunk) {
        std::uint32_t* const own = places.data() + chunk * buckets;
        std::fill_n(own, buckets, 0);
        std::array<std::uint32_t, keys_at_once> buckets_of;
        for (std::size_t from = begin; from < end; from += keys_at_once) {
            const std::size_t count = std::min(keys_at_once, end - from);
            interleave(points, cube, from, count, buckets_of.data(),
                       [](std::uint32_t step) { return first_bits_apart(step); });
            for (std::size_t i = 0; i < count; ++i) ++own[buckets_of[i]];
        }
    });
    const std::vector<std::uint32_t> starts = place_buckets(places, chunks.count(), threads);
    RawVector<KeyedPoint<T>> sorted(n);
    chunks.each(threads, [&](std::size_t begin, std::size_t end, std::size_t chunk) {
        std::uint32_t* const own = places.data() + chunk * buckets;
        with_keys(points, cube, begin, end, [&](std::size_t i, std::uint64_t key) {
            sorted[own[bucket_of(key)]++] = {
                key, {points.of[0][i], points.of[1][i], points.of[2][i]}, static_cast<std::uint32_t>(i)};
        });
    });
    order.resize(n);
    constexpr std::size_t at_once = 16;
    parallel_for(buckets / at_once, threads, [&](std::size_t some) {
        for (std::size_t b = some * at_once; b < (some + 1) * at_once; ++b) {
            const std::span own = std::span(sorted).subspan(starts[b], starts[b + 1] - starts[b]);
            arrange(own.data(), own.data() + own.size(), leaf);
            unpack<T>(own, starts[b], points, order);
        }
    });
    return sorted;
}

template RawVector<KeyedPoint<float>> sort_points(Coordinates<float>&, RawVector<std::uint32_t>&, std::size_t,
                                                  unsigned);
template RawVector<KeyedPoint<double>> sort_points(Coordinates<double>&, RawVector<std::uint32_t>&,
                                                   std::size_t, unsigned);

}  // namespace ks::particles
