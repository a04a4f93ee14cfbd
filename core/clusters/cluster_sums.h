#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "core/clusters/labelling/module_digis.h"
#include "core/clusters/problem.h"

namespace ks::clusters {

/// What is summed over the digis of a cluster.
struct ClusterSum {
    std::uint32_t size, slot;
    std::uint64_t charge;
    double x, y;  ///< sums of adc times pixel index, added in the order of rows
    std::uint16_t xmin, xmax, ymin, ymax;
    std::int32_t label;
};

/// Sums of the clusters of one block of rows, in the order of labels. Rows come in the order of the input, so
/// the first digi of a cluster is the one that names it: one pass, no sort.
class BlockSums {
  public:
    /// Clusters of the block: rows that are their own label.
    static std::size_t count(std::span<const std::int32_t> labels, const ModuleDigis::Block& block);

    /// Throws ks::Error(run) where a label is none.
    void add(const ClusterProblem& problem, std::span<const std::int32_t> labels,
             const ModuleDigis::Block& block);

    const std::vector<ClusterSum>& clusters() const { return clusters_; }
    /// Digis without a cluster, of this block.
    std::size_t invalid() const { return invalid_; }
    std::size_t duplicates() const { return duplicates_; }
    std::size_t cut() const { return cut_; }

  private:
    void refuse_first(const ClusterProblem& problem, std::span<const std::int32_t> labels,
                      const ModuleDigis::Block& block) const;
    void weigh_alike(const ClusterProblem& problem, std::span<const std::int32_t> labels,
                     const ModuleDigis::Block& block);

    std::vector<ClusterSum> clusters_;
    std::vector<std::uint32_t>
        index_;  ///< of the cluster that a row of the block names; none: names no cluster
    std::vector<std::uint32_t> rows_;  ///< of the block that name clusters, ascending
    std::size_t invalid_ = 0, duplicates_ = 0, cut_ = 0;
};

}  // namespace ks::clusters
