#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "core/clusters/labelling/neighbour_masks.h"
#include "core/clusters/problem.h"
#include "core/run/host_backend.h"

namespace ks::clusters {

/// Labels blocks of digis by union-find: a stable counting sort by slot, then module by module the digis are
/// entered into a grid of their indices, from which neighbours are read. Each digi takes the first of its
/// neighbours as parent. That makes one tree of nearly every cluster; if neighbours have different roots,
/// their trees are joined. So there are hardly any unpredictable branches. Modules for which a grid would be
/// too large, or its indices too short, are swept in the order of pixels instead. One object per thread.
class BlockLabeller {
  public:
    explicit BlockLabeller(const ClusterProblem& problem);
    void label(const ModuleDigis::Block& block, std::span<std::int32_t> labels);

  private:
    struct Digi {
        std::uint16_t x, y;
        std::int32_t row;
    };
    /// Indices of digis in their module, and of those at a pixel that already has one.
    struct Grid {
        std::vector<std::uint16_t> cells;
        std::vector<std::pair<std::uint32_t, std::uint32_t>> copies;
        std::size_t n_copies = 0;
    };

    void sort_by_slot(const ModuleDigis::Block& block, std::span<std::int32_t> labels);
    std::span<const Digi> digis_of(std::size_t slot) const;
    std::size_t cell_of(const Digi& digi) const { return (std::size_t{digi.y} + 1) * stride_ + digi.x + 1; }
    bool in_masks(std::size_t slot) const;
    bool in_grid(std::size_t slot) const;
    void put(Grid& grid, std::span<const Digi> digis);
    void drop_copies(Grid& grid, std::span<const Digi> digis);
    void connect_few(std::span<const Digi> digis);
    void flood(std::uint64_t left);
    template <bool corners>
    void connect(Grid& grid, std::span<const Digi> digis);
    void connect_in_order(std::span<const Digi> digis);
    std::uint32_t root_of(std::uint32_t digi);
    void join(std::uint32_t one, std::uint32_t other);
    void flatten(std::size_t digis);
    void write_labels(std::size_t slot, std::span<const Digi> digis, std::span<std::int32_t> labels);

    const ClusterProblem& problem_;
    FindNeighbours find_neighbours_;  ///< null: modules of few digis are treated like others
    std::uint16_t x_[max_in_masks] = {}, y_[max_in_masks] = {};
    NeighbourMasks masks_;
    std::size_t stride_ = 0;             ///< of the grid; 0: no grid
    Grid grids_[2];                      ///< used alternately: reads need not wait for the current writes
    std::vector<std::uint32_t> starts_;  ///< per slot of the block, into digis_
    std::vector<Digi> digis_;            ///< by slot, rows ascending
    std::vector<std::uint32_t>
        parent_;  ///< of one module: indices of digis, never larger than the digi's own
    std::vector<std::uint64_t> charge_;  ///< of one module, at the indices of roots
};

/// host.unionfind: blocks on all threads.
Result run_union_find(const ClusterProblem& problem, HostContext& context);

}  // namespace ks::clusters
