#pragma once

#include <array>
#include <cstddef>

#include "core/clusters/result.h"
#include "gpu/clusters/table_on_device.h"

namespace ks::gpu::clusters {

/// The table of clusters in host memory while it is downloaded chunk by chunk. The number of clusters is
/// known only at the end: columns are sized from the chunks so far, and grow if that was too small.
class TableDownload {
  public:
    TableDownload(const ClusterProblem& problem, cl::CommandQueue queue, LaunchContext& context);

    /// Enqueues the rows of a chunk, which follow those of the previous chunks; returns the
    /// event of the last transfer.
    cl::Event add(const Chunk& chunk, const TableOnDevice& table, std::size_t turn,
                  const TableOnDevice::Counts& counts);
    /// Called when all transfers have ended.
    ks::clusters::ClusterTable take();

  private:
    void make_room(std::size_t rows, std::size_t digis);

    const ClusterProblem& problem_;
    cl::CommandQueue queue_;
    LaunchContext& context_;
    std::array<Array, TableOnDevice::n_columns> columns_;
    Array module_clusters_;
    std::size_t room_ = 0, rows_ = 0, digis_ = 0;
    ks::clusters::ClusterTable counted_;  ///< its columns are filled last
};

/// Centroids of a table whose x and y are sums, as 64-bit integers: for devices without double precision.
void divide_sums(ks::clusters::ClusterTable& table);

}  // namespace ks::gpu::clusters
