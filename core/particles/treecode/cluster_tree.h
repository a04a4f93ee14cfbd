#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/base/memory/raw_vector.h"

namespace ks::particles {

/// A group of nearby points, contiguous from `first` in the order of the tree.
struct Cluster {
    std::array<double, 3> centre, half;  ///< of a box that holds its points and the boxes of its children
    double radius;                       ///< half of the box's diagonal
    std::uint32_t first, count;
    std::uint32_t child;  ///< number of the first of its two children; 0 for a leaf
    std::uint32_t parent;

    bool is_leaf() const { return child == 0; }
    std::uint32_t end() const { return first + count; }
};

/// A binary tree of clusters: cubes that are halved along x, y and z in turn, dropping halves without points,
/// until a cluster has at most `leaf` points or all its points coincide to 2^-21 of the longest side.
struct ClusterTree {
    RawVector<std::uint32_t> order;     ///< row numbers of the points, in the order of the tree
    RawVector<Cluster> clusters;        ///< root first, level by level, parents before children
    std::vector<std::uint32_t> levels;  ///< number of each level's first cluster, and the total
};

/// Coordinates of points, [axis][point].
template <class T>
struct Coordinates {
    std::array<RawVector<T>, 3> of;

    std::size_t size() const { return of[0].size(); }
};

/// Points are sorted by Morton keys of 3 x 21 bits, as far as leaves need it: the result depends only on the
/// points. Centres and half sides are numbers of type T, so that the difference of a point and
/// its centre is nearly exact.
/// @param points in any order; they are reordered to match the tree
/// @param leaf at least 1
/// @param thinnest minimum ratio of any side of a box to its longest, so that slopes along it can be
/// resolved; 0: boxes fit their points tightly
template <class T>
ClusterTree build_tree(Coordinates<T>& points, std::size_t leaf, double thinnest, unsigned threads);

}  // namespace ks::particles
