#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/particles/treecode/cluster_tree.h"
#include "core/particles/treecode/resolution.h"

namespace ks::particles {

/// The points of clusters that stand for others, in one array, cluster after cluster; of a cluster [i][j][k]
/// along x, y and z.
struct Proxies {
    std::vector<NodeCounts> nodes;     ///< [cluster]
    std::vector<std::uint32_t> first;  ///< [cluster + 1]; clusters that need none have none
    std::size_t size() const { return first.back(); }
    std::size_t count(std::size_t cluster) const { return first[cluster + 1] - first[cluster]; }
};

/// Places [begin, end) of an array.
struct Span32 {
    std::uint32_t begin, end;
};

/// What is to be summed at the points of some clusters of targets.
struct InteractionLists {
    std::vector<std::uint32_t> clusters;  ///< of targets, ascending
    std::vector<std::uint32_t> start;     ///< [clusters + 1] of spans
    RawVector<Span32> spans;              ///< of sources or proxies, ascending, with gaps between them
    std::vector<std::uint64_t> sources;   ///< [clusters] in all spans of each
    std::uint64_t pairs = 0;
};

/// A barycentric Lagrange treecode between clusters (Wang, Krasny, Tlupova, Communications in Computational
/// Physics 28, 2020; Wilson, Vaughn, Krasny, Computer Physics Communications 265, 2021). Sources of a cluster
/// are replaced by weights at its Chebyshev points, sums at the targets of a cluster by interpolation between
/// sums at its Chebyshev points: where clusters are apart, points of the one act on those of the other. All
/// else is summed pair by pair.
struct TreecodePlan {
    ClusterTree sources, targets;
    Proxies source_proxies, target_proxies;
    InteractionLists far;   ///< at proxies of targets, spans of proxies of sources
    InteractionLists near;  ///< at targets of leaves, spans of sources in the order of their tree
};

/// @param sources, targets in any order, which are brought into that of their trees
/// @param leaf points of a leaf at most
template <class T>
TreecodePlan plan_treecode(Coordinates<T>& sources, Coordinates<T>& targets, const Resolution& resolution,
                           std::size_t leaf, unsigned threads);

/// Places of proxies.
template <class T>
Coordinates<T> places_of_proxies(const ClusterTree& tree, const Proxies& proxies, unsigned threads);

}  // namespace ks::particles
