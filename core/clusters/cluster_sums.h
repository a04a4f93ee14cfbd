#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "core/clusters/labelling/module_digis.h"
#include "core/clusters/problem.h"

namespace ks::clusters {

/// Sums over the digis of a cluster.
struct ClusterSum {
    std::uint32_t size, slot;
    std::uint64_t charge;
    /// Sums of adc times pixel index, or of pixel indices if there is no charge: rounded at most once.
    double x, y;
    std::uint16_t xmin, xmax, ymin, ymax;
    std::int32_t label;
};

/// Sums of the clusters of one block of rows, in the order of labels. Rows are in input order, so the first
/// digi of a cluster names it: one pass, no sort.
class BlockSums {
  public:
    /// Clusters of the block: rows whose label is the row itself.
    static std::size_t count(std::span<const std::int32_t> labels, const ModuleDigis::Block& block);

    /// Throws ks::Error(run) if a label is invalid.
    void add(const ClusterProblem& problem, std::span<const std::int32_t> labels,
             const ModuleDigis::Block& block);

    const std::vector<ClusterSum>& clusters() const { return clusters_; }
    /// Numbers of digis of this block without a cluster, by reason.
    std::size_t invalid() const { return invalid_; }
    std::size_t duplicates() const { return duplicates_; }
    std::size_t cut() const { return cut_; }

  private:
    void weigh_alike(const ClusterProblem& problem, std::span<const std::int32_t> labels,
                     const ModuleDigis::Block& block);
    void weigh_exactly(const ClusterProblem& problem, std::span<const std::int32_t> labels,
                       const ModuleDigis::Block& block);

    std::vector<ClusterSum> clusters_;
    std::vector<std::uint32_t>
        index_;                        ///< of the cluster named by a row of the block; none: names no cluster
    std::vector<std::uint32_t> rows_;  ///< rows of the block that name clusters, ascending
    std::size_t invalid_ = 0, duplicates_ = 0, cut_ = 0;
};

/// Throws ks::Error(run) naming the first invalid label of these blocks. At least one label must be invalid.
[[noreturn]] void refuse_labels(const ClusterProblem& problem, std::span<const std::int32_t> labels,
                                std::span<const ModuleDigis::Block> blocks);

}  // namespace ks::clusters
