#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "ui/clusters/run_clusters.h"

namespace ks::ui::clusters {

/// How clusters of two runs A and B share digis.
enum class DifferenceKind {
    merged,   ///< several clusters of A are one of B
    split,    ///< one cluster of A is several of B
    mixed,    ///< several clusters of A are several others of B
    missing,  ///< a cluster of A shares no digi with a cluster of B
    added,    ///< a cluster of B shares no digi with a cluster of A
    changed   ///< one cluster each, with different digis
};

/// A group of clusters that share digis without being identical.
struct ClusterDifference {
    DifferenceKind kind;
    std::uint32_t slot;
    std::vector<std::uint32_t> a, b;  ///< indices of clusters in the tables of the runs, ascending
    std::uint32_t digis;              ///< digis of these clusters, in either run
    double x, y;                      ///< centre of their boxes
};

struct DifferenceOfRuns {
    std::vector<ClusterDifference> all;  ///< by slot, then by the smallest label
    std::size_t same = 0;                ///< clusters with the same digis in both runs

    std::size_t count(DifferenceKind kind) const;
};

/// Both runs must have the same digis; otherwise throws ks::Error(run).
DifferenceOfRuns differenceOf(const RunClusters& a, const RunClusters& b);

}  // namespace ks::ui::clusters
