#include "core/particles/treecode/cluster_tree.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

#include "core/base/parallel.h"
#include "core/particles/treecode/tree_order.h"

namespace ks::particles {
namespace {

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
