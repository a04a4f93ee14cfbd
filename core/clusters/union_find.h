#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "core/clusters/problem.h"
#include "core/run/host_backend.h"

namespace ks::clusters {

/// Labels blocks of digis by union-find: a stable counting sort by slot, then module by module the digis are
/// put into a grid of their places, neighbours are read from it, and sets are joined under their smallest
/// row. Modules for which a grid would be too large, or its places too short, are swept in the order of
/// pixels instead. One for each thread.
class BlockLabeller {
  public:
    explicit BlockLabeller(const ClusterProblem& problem);
    void label(const ModuleDigis::Block& block, std::span<std::int32_t> labels);

  private:
    struct Digi {
        std::uint32_t cell;  ///< of the grid; y << 16 | x where there is none
        std::int32_t row;
    };
    using Edge = std::pair<std::uint32_t, std::uint32_t>;

    void sort_by_slot(const ModuleDigis::Block& block, std::span<std::int32_t> labels);
    void put(std::vector<std::uint16_t>& grid, std::size_t slot);
    void connect(std::vector<std::uint16_t>& grid, std::size_t slot);
    void connect_in_order(std::size_t slot);
    void join(std::uint32_t one, std::uint32_t other);
    std::uint32_t root(std::uint32_t digi);
    void write_labels(std::span<std::int32_t> labels);
    void cut_charges(std::size_t first_slot);

    const ClusterProblem& problem_;
    std::size_t stride_ = 0;  ///< of the grid; 0: there is none
    /// Place of a digi in its module, from 1; 0: no digi. Two, so that the reading of one need not wait for
    /// the writing.
    std::vector<std::uint16_t> grids_[2];
    std::vector<std::uint32_t> starts_;  ///< per slot of the block, in digis_
    std::vector<Digi> digis_;            ///< by slot, rows ascending
    std::vector<std::uint32_t>
        parent_;  ///< places in digis_, never larger than the own one; dropped: no digi
    std::vector<Edge> edges_, copies_;
    std::vector<std::uint64_t> charge_;
};

/// host.unionfind: blocks on all threads.
Result run_union_find(const ClusterProblem& problem, HostContext& context);

}  // namespace ks::clusters
