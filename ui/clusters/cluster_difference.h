#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "ui/clusters/run_clusters.h"

namespace ks::ui::clusters {

/// How clusters of one run and of another share digis.
enum class DifferenceKind {
    merged,   ///< several of A are one of B
    split,    ///< one of A is several of B
    mixed,    ///< several of A are several others of B
    missing,  ///< one of A has no digi in a cluster of B
    added,    ///< one of B has no digi in a cluster of A
    changed   ///< one of each, with other digis
};

/// A group of clusters that share digis and are not one and the same cluster.
struct ClusterDifference {
    DifferenceKind kind;
    std::uint32_t slot;
    std::vector<std::uint32_t> a, b;  ///< indices of clusters in the tables of the runs, ascending
    std::uint32_t digis;              ///< of these clusters, in either run
    double x, y;                      ///< middle of their boxes
};

struct DifferenceOfRuns {
    std::vector<ClusterDifference> all;  ///< by slot, then by the smallest label
    std::size_t same = 0;                ///< clusters with the same digis in both

    std::size_t count(DifferenceKind kind) const;
};

/// Both runs are of the same digis; throws ks::Error(run) where they are not.
DifferenceOfRuns differenceOf(const RunClusters& a, const RunClusters& b);

}  // namespace ks::ui::clusters
