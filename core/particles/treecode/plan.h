#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/particles/treecode/cluster_tree.h"
#include "core/particles/treecode/resolution.h"

namespace ks::particles {

/// Proxy points of clusters in one array, cluster after cluster; [i][j][k] along x, y and z within a cluster.
struct Proxies {
    std::vector<NodeCounts> nodes;     ///< [cluster]
    std::vector<std::uint32_t> first;  ///< [cluster + 1]; clusters that need no proxies have none
    std::size_t size() const { return first.back(); }
    std::size_t count(std::size_t cluster) const { return first[cluster + 1] - first[cluster]; }
};

/// Elements [begin, end) of an array.
struct Span32 {
    std::uint32_t begin, end;
};

/// What to sum at the points of a set of target clusters.
struct InteractionLists {
    std::vector<std::uint32_t> clusters;  ///< target clusters, ascending
    std::vector<std::uint32_t> start;     ///< [clusters + 1] of spans
    RawVector<Span32> spans;              ///< of sources or proxies, ascending and disjoint
    std::vector<std::uint64_t> sources;   ///< [clusters] total number in the spans of each
    std::uint64_t pairs = 0;
};

/// A barycentric Lagrange treecode between clusters (Wang, Krasny, Tlupova, Communications in Computational
/// Physics 28, 2020; Wilson, Vaughn, Krasny, Computer Physics Communications 265, 2021). Sources of a cluster
/// are replaced by weights at its Chebyshev points; sums at the targets of a cluster are interpolated from
/// sums at its Chebyshev points. Separated clusters interact through these points. Everything else is summed
/// pair by pair.
struct TreecodePlan {
    ClusterTree sources, targets;
    Proxies source_proxies, target_proxies;
    InteractionLists far;   ///< at proxies of targets, over spans of proxies of sources
    InteractionLists near;  ///< at targets of leaves, over spans of sources in the order of their tree
};

/// @param sources, targets in any order; they are reordered to match their trees
/// @param leaf maximum number of points in a leaf
template <class T>
TreecodePlan plan_treecode(Coordinates<T>& sources, Coordinates<T>& targets, const Resolution& resolution,
                           std::size_t leaf, unsigned threads);

/// Coordinates of proxies.
template <class T>
Coordinates<T> places_of_proxies(const ClusterTree& tree, const Proxies& proxies, unsigned threads);

}  // namespace ks::particles
