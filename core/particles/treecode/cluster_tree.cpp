#include "core/particles/treecode/cluster_tree.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <functional>
#include <limits>
#include <utility>

#include "core/base/parallel.h"

namespace ks::particles {
namespace {

constexpr unsigned key_bits = 21;               // of a step along a side
constexpr std::size_t points_of_chunk = 32768;  // of what a thread does at once
constexpr unsigned bucket_bits = 12;            // of a key: points are cut into buckets by them
constexpr std::size_t buckets = std::size_t{1} << bucket_bits;

struct Keyed {
    std::uint64_t key;
    std::uint32_t row;
    bool operator<(const Keyed& other) const { return key != other.key ? key < other.key : row < other.row; }
};

/// work(begin, end, chunk) for pieces of [0, n).
void in_chunks(std::size_t n, unsigned threads,
               const std::function<void(std::size_t, std::size_t, std::size_t)>& work) {
    parallel_for((n + points_of_chunk - 1) / points_of_chunk, threads, [&](std::size_t i) {
        work(i * points_of_chunk, std::min(n, (i + 1) * points_of_chunk), i);
    });
}

/// Bits of a step with two others' places between them.
std::uint64_t spread(std::uint64_t step) {
    step = (step | step << 32) & 0x001F00000000FFFF;
    step = (step | step << 16) & 0x001F0000FF0000FF;
    step = (step | step << 8) & 0x100F00F00F00F00F;
    step = (step | step << 4) & 0x10C30C30C30C30C3;
    return (step | step << 2) & 0x1249249249249249;
}

/// The cube of all points.
struct Cube {
    std::array<double, 3> low{};
    double steps = 0;  ///< of a key, in a unit of length

    std::uint64_t step(double value, std::size_t axis) const {
        constexpr double last = (1u << key_bits) - 1;
        return static_cast<std::uint64_t>(std::clamp((value - low[axis]) * steps, 0.0, last));
    }
};

template <class T>
Cube cube_of(const Coordinates<T>& points, unsigned threads) {
    Cube cube;
    double longest = 0;
    std::vector<std::pair<T, T>> of_chunks((points.size() + points_of_chunk - 1) / points_of_chunk);
    for (std::size_t axis = 0; axis < 3; ++axis) {
        in_chunks(points.size(), threads, [&](std::size_t begin, std::size_t end, std::size_t chunk) {
            const auto [minimum, maximum] =
                std::ranges::minmax(std::span(points.of[axis]).subspan(begin, end - begin));
            of_chunks[chunk] = {minimum, maximum};
        });
        auto [low, high] = of_chunks.front();
        for (const auto& [minimum, maximum] : of_chunks) {
            low = std::min(low, minimum);
            high = std::max(high, maximum);
        }
        cube.low[axis] = static_cast<double>(low);
        longest = std::max(longest, static_cast<double>(high) - cube.low[axis]);
    }
    if (longest > 0) cube.steps = (1u << key_bits) / longest;
    return cube;
}

/// Halves keys by the first bit in which they differ, again and again, until at most `leaf` are together.
void arrange(Keyed* begin, Keyed* end, std::size_t leaf) {
    while (static_cast<std::size_t>(end - begin) > leaf) {
        std::uint64_t differ = 0;
        for (const Keyed* one = begin; one != end; ++one) differ |= one->key ^ begin->key;
        if (differ == 0) return;
        const auto bit = static_cast<unsigned>(std::bit_width(differ)) - 1;
        Keyed* const middle =
            std::partition(begin, end, [bit](const Keyed& one) { return (one.key >> bit & 1) == 0; });
        arrange(begin, middle, leaf);
        begin = middle;
    }
}

/// Keys in ascending order but for those of leaves, which are together: cut into buckets by their first bits,
/// which are then arranged one by one.
template <class T>
RawVector<Keyed> sorted_keys(const Coordinates<T>& points, std::size_t leaf, unsigned threads) {
    const std::size_t n = points.size(), chunks = (n + points_of_chunk - 1) / points_of_chunk;
    const Cube cube = cube_of(points, threads);
    RawVector<Keyed> keyed(n), sorted(n);
    std::vector<std::uint32_t> places(chunks * buckets);
    const auto bucket_of = [](std::uint64_t key) {
        return static_cast<std::size_t>(key >> (3 * key_bits - bucket_bits));
    };
    in_chunks(n, threads, [&](std::size_t begin, std::size_t end, std::size_t chunk) {
        for (std::size_t i = begin; i < end; ++i) {
            keyed[i] = {0, static_cast<std::uint32_t>(i)};
            for (std::size_t axis = 0; axis < 3; ++axis)
                keyed[i].key |= spread(cube.step(static_cast<double>(points.of[axis][i]), axis))
                                << (2 - axis);
            ++places[chunk * buckets + bucket_of(keyed[i].key)];
        }
    });
    std::vector<std::uint32_t> starts(buckets + 1);
    std::uint32_t next = 0;
    for (std::size_t bucket = 0; bucket < buckets; ++bucket) {
        starts[bucket] = next;
        for (std::size_t chunk = 0; chunk < chunks; ++chunk) {
            const std::uint32_t count = places[chunk * buckets + bucket];
            places[chunk * buckets + bucket] = next;
            next += count;
        }
    }
    starts[buckets] = next;
    in_chunks(n, threads, [&](std::size_t begin, std::size_t end, std::size_t chunk) {
        for (std::size_t i = begin; i < end; ++i)
            sorted[places[chunk * buckets + bucket_of(keyed[i].key)]++] = keyed[i];
    });
    constexpr std::size_t at_once = 64;
    parallel_for(buckets / at_once, threads, [&](std::size_t some) {
        for (std::size_t bucket = some * at_once; bucket < (some + 1) * at_once; ++bucket)
            arrange(sorted.data() + starts[bucket], sorted.data() + starts[bucket + 1], leaf);
    });
    return sorted;
}

/// First of the keys [begin, end), which agree before `bit`, that has it set.
std::uint32_t where_set(const RawVector<Keyed>& keys, std::uint32_t begin, std::uint32_t end, unsigned bit) {
    const auto first = keys.begin() + begin, last = keys.begin() + end;
    return begin + static_cast<std::uint32_t>(
                       std::partition_point(first, last,
                                            [bit](const Keyed& one) { return (one.key >> bit & 1) == 0; }) -
                       first);
}

/// Where a cluster is halved: by the first bit in which its keys differ; its own first point where it is not.
std::uint32_t middle_of(const Cluster& cluster, const RawVector<Keyed>& keys, std::size_t leaf) {
    if (cluster.count <= leaf) return cluster.first;
    const std::uint64_t differ = keys[cluster.first].key ^ keys[cluster.end() - 1].key;
    if (differ == 0) return cluster.first;
    return where_set(keys, cluster.first, cluster.end(), static_cast<unsigned>(std::bit_width(differ)) - 1);
}

/// Level after level.
void split(ClusterTree& tree, const RawVector<Keyed>& keys, std::size_t leaf, unsigned threads) {
    tree.clusters.push_back({});
    tree.clusters[0].count = static_cast<std::uint32_t>(keys.size());
    std::vector<std::uint32_t> middles;
    for (std::size_t begin = 0, end = 1; begin < end; begin = end, end = tree.clusters.size()) {
        tree.levels.push_back(static_cast<std::uint32_t>(begin));
        middles.resize(end - begin);
        constexpr std::size_t at_once = 256;
        parallel_for((middles.size() + at_once - 1) / at_once, threads, [&](std::size_t some) {
            for (std::size_t i = some * at_once; i < std::min(middles.size(), (some + 1) * at_once); ++i)
                middles[i] = middle_of(tree.clusters[begin + i], keys, leaf);
        });
        for (std::size_t i = begin; i < end; ++i) {
            const Cluster cluster = tree.clusters[i];
            const std::uint32_t middle = middles[i - begin];
            if (middle == cluster.first) continue;
            tree.clusters[i].child = static_cast<std::uint32_t>(tree.clusters.size());
            for (const auto& [from, to] : {std::pair{cluster.first, middle}, {middle, cluster.end()}}) {
                Cluster child;
                child.first = from;
                child.count = to - from;
                child.parent = static_cast<std::uint32_t>(i);
                tree.clusters.push_back(child);
            }
        }
    }
    tree.levels.push_back(static_cast<std::uint32_t>(tree.clusters.size()));
}

/// The box from its lowest and highest coordinates, in numbers of T.
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
    std::array<double, 3> low{}, high{};

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

/// Of the points of leaves, which are in the tree's order.
template <class T>
std::vector<Box> boxes_of_leaves(const ClusterTree& tree, const Coordinates<T>& points, unsigned threads) {
    std::vector<Box> boxes(tree.clusters.size());
    constexpr std::size_t at_once = 64;
    parallel_for((boxes.size() + at_once - 1) / at_once, threads, [&](std::size_t some) {
        for (std::size_t c = some * at_once; c < std::min(boxes.size(), (some + 1) * at_once); ++c) {
            const Cluster& cluster = tree.clusters[c];
            if (!cluster.is_leaf()) continue;
            for (std::size_t axis = 0; axis < 3; ++axis) {
                const auto [low, high] =
                    std::ranges::minmax(std::span(points.of[axis]).subspan(cluster.first, cluster.count));
                boxes[c].low[axis] = static_cast<double>(low);
                boxes[c].high[axis] = static_cast<double>(high);
            }
        }
    });
    return boxes;
}

/// Boxes of leaves from their points, of others from their children's.
template <class T>
void measure(ClusterTree& tree, const Coordinates<T>& points, double thinnest, unsigned threads) {
    std::vector<Box> boxes = boxes_of_leaves(tree, points, threads);
    const auto unite = [&] {
        for (std::size_t c = boxes.size(); c-- > 0;) {
            const std::uint32_t child = tree.clusters[c].child;
            if (child > 0) boxes[c] = united(boxes[child], boxes[child + 1]);
            boxes[c].widen_to(thinnest * boxes[c].longest());
        }
    };
    unite();
    if (thinnest > 0) {
        // Leaves without any extent are made somewhat smaller than what they are part of.
        constexpr double share = 0.125, alone = 0.03125;
        for (std::size_t c = 0; c < boxes.size(); ++c)
            if (boxes[c].longest() == 0)
                boxes[c].widen_to(c == 0 ? alone : share * boxes[tree.clusters[c].parent].longest());
        unite();
    }
    constexpr std::size_t at_once = 512;
    parallel_for((boxes.size() + at_once - 1) / at_once, threads, [&](std::size_t some) {
        for (std::size_t c = some * at_once; c < std::min(boxes.size(), (some + 1) * at_once); ++c)
            set_box<T>(tree.clusters[c], boxes[c].low, boxes[c].high);
    });
}

template <class T>
void bring_into(Coordinates<T>& points, const RawVector<std::uint32_t>& order, unsigned threads) {
    Coordinates<T> sorted;
    for (RawVector<T>& values : sorted.of) values.resize(order.size());
    in_chunks(order.size(), threads, [&](std::size_t begin, std::size_t end, std::size_t) {
        for (std::size_t axis = 0; axis < 3; ++axis)
            for (std::size_t i = begin; i < end; ++i) sorted.of[axis][i] = points.of[axis][order[i]];
    });
    points = std::move(sorted);
}

}  // namespace

template <class T>
ClusterTree build_tree(Coordinates<T>& points, std::size_t leaf, double thinnest, unsigned threads) {
    ClusterTree tree;
    const RawVector<Keyed> keys = sorted_keys(points, leaf, threads);
    tree.order.resize(keys.size());
    in_chunks(keys.size(), threads, [&](std::size_t begin, std::size_t end, std::size_t) {
        for (std::size_t i = begin; i < end; ++i) tree.order[i] = keys[i].row;
    });
    bring_into(points, tree.order, threads);
    split(tree, keys, leaf, threads);
    measure(tree, points, thinnest, threads);
    return tree;
}

template ClusterTree build_tree(Coordinates<float>&, std::size_t, double, unsigned);
template ClusterTree build_tree(Coordinates<double>&, std::size_t, double, unsigned);

}  // namespace ks::particles
