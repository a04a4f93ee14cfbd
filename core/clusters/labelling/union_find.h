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
/// put into a grid of their places and neighbours are read from it. Each digi takes the first of its
/// neighbours as parent; that makes one tree of nearly every cluster, and where neighbours have different
/// roots their trees are joined. So there is next to nothing for the processor to guess. Modules for which a
/// grid would be too large, or its places too short, are swept in the order of pixels instead. One for each
/// thread.
class BlockLabeller {
  public:
    explicit BlockLabeller(const ClusterProblem& problem);
    void label(const ModuleDigis::Block& block, std::span<std::int32_t> labels);

  private:
    struct Digi {
        std::uint16_t x, y;
        std::int32_t row;
    };
    /// Places of digis in their module, and those that lie at a pixel where one was before.
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
    FindNeighbours find_neighbours_;  ///< null: modules of few digis are as others
    std::uint16_t x_[max_in_masks] = {}, y_[max_in_masks] = {};
    NeighbourMasks masks_;
    std::size_t stride_ = 0;             ///< of the grid; 0: there is none
    Grid grids_[2];                      ///< in turn: what is read need not wait for what is being written
    std::vector<std::uint32_t> starts_;  ///< per slot of the block, in digis_
    std::vector<Digi> digis_;            ///< by slot, rows ascending
    std::vector<std::uint32_t> parent_;  ///< of one module: places of digis, never larger than the own one
    std::vector<std::uint64_t> charge_;  ///< of one module, at the places of roots
};

/// host.unionfind: blocks on all threads.
Result run_union_find(const ClusterProblem& problem, HostContext& context);

}  // namespace ks::clusters
