#include "core/particles/treecode/cluster_tree.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <numeric>
#include <span>
#include <utility>

#include "core/base/parallel.h"

namespace ks::particles {
namespace {

constexpr unsigned key_bits = 21;  ///< of a step along a side of the bounding cube of all points

/// A point at its position in the order of a tree, with its Morton key of 3 x 21 bits, x first.
template <class T>
struct KeyedPoint {
    std::uint64_t key;
    std::array<T, 3> at;
    std::uint32_t row;
};

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

/// Sorts points by ascending key, except within leaves, whose points are contiguous in an order that depends
/// only on the points. Points are distributed to buckets by the leading bits of their keys; buckets are then
/// halved one by one.
/// @param order filled with their row numbers
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

/// First of the points [begin, end), whose keys agree above `bit`, that has the bit set.
template <class T>
std::uint32_t where_set(const RawVector<KeyedPoint<T>>& points, std::uint32_t begin, std::uint32_t end,
                        unsigned bit) {
    const auto first = points.begin() + begin, last = points.begin() + end;
    const auto is_clear = [bit](const KeyedPoint<T>& one) { return (one.key >> bit & 1) == 0; };
    return begin + static_cast<std::uint32_t>(std::partition_point(first, last, is_clear) - first);
}

/// Where a cluster is halved: at the first bit in which its keys differ; its own first point
/// if it is not halved.
template <class T>
std::uint32_t middle_of(const Cluster& cluster, const RawVector<KeyedPoint<T>>& points, std::size_t leaf) {
    if (cluster.count <= leaf) return cluster.first;
    const std::uint64_t differ = points[cluster.first].key ^ points[cluster.end() - 1].key;
    if (differ == 0) return cluster.first;
    return where_set(points, cluster.first, cluster.end(), static_cast<unsigned>(std::bit_width(differ)) - 1);
}

/// work(cluster) for clusters [begin, end).
template <class Work>
void for_clusters(std::size_t begin, std::size_t end, unsigned threads, const Work& work) {
    constexpr std::size_t at_once = 32;
    parallel_for((end - begin + at_once - 1) / at_once, threads, [&](std::size_t some) {
        for (std::size_t c = begin + some * at_once; c < std::min(end, begin + (some + 1) * at_once); ++c)
            work(c);
    });
}

Cluster cluster_of(std::uint32_t first, std::uint32_t end, std::size_t parent) {
    Cluster cluster{};
    cluster.first = first;
    cluster.count = end - first;
    cluster.parent = static_cast<std::uint32_t>(parent);
    return cluster;
}

/// Builds one level after another.
template <class T>
void split(ClusterTree& tree, const RawVector<KeyedPoint<T>>& points, std::size_t leaf, unsigned threads) {
    RawVector<Cluster>& clusters = tree.clusters;
    clusters.reserve(4 * points.size() / leaf + 1);
    clusters.push_back(cluster_of(0, static_cast<std::uint32_t>(points.size()), 0));
    RawVector<std::uint32_t> middles;
    for (std::size_t begin = 0, end = 1; begin < end; begin = end, end = clusters.size()) {
        tree.levels.push_back(static_cast<std::uint32_t>(begin));
        middles.resize(end - begin);
        for_clusters(begin, end, threads,
                     [&](std::size_t c) { middles[c - begin] = middle_of(clusters[c], points, leaf); });
        std::size_t next = end;
        for (std::size_t c = begin; c < end; ++c) {
            if (middles[c - begin] == clusters[c].first) continue;
            clusters[c].child = static_cast<std::uint32_t>(next);
            next += 2;
        }
        clusters.resize(next);
        for_clusters(begin, end, threads, [&](std::size_t c) {
            const std::uint32_t child = clusters[c].child, middle = middles[c - begin];
            if (child == 0) return;
            clusters[child] = cluster_of(clusters[c].first, middle, c);
            clusters[child + 1] = cluster_of(middle, clusters[c].end(), c);
        });
    }
    tree.levels.push_back(static_cast<std::uint32_t>(clusters.size()));
}

/// The box from its lowest and highest coordinates, in numbers of type T.
template <class T>
void set_box(Cluster& cluster, const std::array<double, 3>& low, const std::array<double, 3>& high) {
    double squares = 0;
    for (std::size_t axis = 0; axis < 3; ++axis) {
        cluster.centre[axis] = static_cast<double>(static_cast<T>(low[axis] / 2 + high[axis] / 2));
        const double reach = std::max(high[axis] - cluster.centre[axis], cluster.centre[axis] - low[axis]);
        T half = static_cast<T>(reach);
        if (static_cast<double>(half) < reach) half = std::nextafter(half, std::numeric_limits<T>::max());
        cluster.half[axis] = static_cast<double>(half);
        squares += cluster.half[axis] * cluster.half[axis];
    }
    cluster.radius = std::sqrt(squares);
}

struct Box {
    std::array<double, 3> low, high;

    double longest() const {
        double side = 0;
        for (std::size_t axis = 0; axis < 3; ++axis) side = std::max(side, high[axis] - low[axis]);
        return side;
    }
    void widen_to(double side) {
        for (std::size_t axis = 0; axis < 3; ++axis) {
            const double missing = side - (high[axis] - low[axis]);
            if (missing <= 0) continue;
            low[axis] -= missing / 2;
            high[axis] += missing / 2;
        }
    }
};

Box united(const Box& one, const Box& other) {
    Box both;
    for (std::size_t axis = 0; axis < 3; ++axis) {
        both.low[axis] = std::min(one.low[axis], other.low[axis]);
        both.high[axis] = std::max(one.high[axis], other.high[axis]);
    }
    return both;
}

/// Bounds of the points of leaves, which are in the order of the tree.
template <class T>
RawVector<Box> boxes_of_leaves(const ClusterTree& tree, const Coordinates<T>& points, unsigned threads) {
    RawVector<Box> boxes(tree.clusters.size());
    for_clusters(0, boxes.size(), threads, [&](std::size_t c) {
        const Cluster& cluster = tree.clusters[c];
        if (!cluster.is_leaf()) return;
        for (std::size_t axis = 0; axis < 3; ++axis) {
            const auto [low, high] =
                extremes(std::span<const T>(points.of[axis]).subspan(cluster.first, cluster.count));
            boxes[c].low[axis] = static_cast<double>(low);
            boxes[c].high[axis] = static_cast<double>(high);
        }
    });
    return boxes;
}

/// Boxes of leaves from their points, boxes of others from those of their children.
template <class T>
void measure(ClusterTree& tree, const Coordinates<T>& points, double thinnest, unsigned threads) {
    RawVector<Box> boxes = boxes_of_leaves(tree, points, threads);
    const auto unite = [&] {
        for (std::size_t level = tree.levels.size() - 1; level-- > 0;)
            for_clusters(tree.levels[level], tree.levels[level + 1], threads, [&](std::size_t c) {
                const std::uint32_t child = tree.clusters[c].child;
                if (child > 0) boxes[c] = united(boxes[child], boxes[child + 1]);
                boxes[c].widen_to(thinnest * boxes[c].longest());
            });
    };
    unite();
    if (thinnest > 0) {
        // Leaves without extent are made somewhat smaller than their parent.
        constexpr double share = 0.125, alone = 0.03125;
        for (std::size_t c = 0; c < boxes.size(); ++c)
            if (boxes[c].longest() == 0)
                boxes[c].widen_to(c == 0 ? alone : share * boxes[tree.clusters[c].parent].longest());
        unite();
    }
    for_clusters(0, boxes.size(), threads,
                 [&](std::size_t c) { set_box<T>(tree.clusters[c], boxes[c].low, boxes[c].high); });
}

}  // namespace

template <class T>
ClusterTree build_tree(Coordinates<T>& points, std::size_t leaf, double thinnest, unsigned threads) {
    ClusterTree tree;
    const RawVector<KeyedPoint<T>> sorted = sort_points(points, tree.order, leaf, threads);
    split(tree, sorted, leaf, threads);
    measure(tree, points, thinnest, threads);
    return tree;
}

template ClusterTree build_tree(Coordinates<float>&, std::size_t, double, unsigned);
template ClusterTree build_tree(Coordinates<double>&, std::size_t, double, unsigned);

}  // namespace ks::particles
