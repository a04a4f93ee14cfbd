#pragma once

#include <array>
#include <cstddef>
#include <vector>

#include "gpu/clusters/chunk.h"

namespace ks::gpu::clusters {

/// The table of clusters of a chunk, computed on the device from its labels (gpu/clusters/cluster_table.cl).
class TableOnDevice {
  public:
    /// Columns in the order of ClusterTable: label, size, charge, x, y, xmin, xmax, ymin, ymax.
    static constexpr std::size_t n_columns = 9;
    static constexpr std::array<ElementType, n_columns> types{
        ElementType::i32, ElementType::u32, ElementType::u64, ElementType::f64, ElementType::f64,
        ElementType::u16, ElementType::u16, ElementType::u16, ElementType::u16};
    /// Counters of a chunk, in the order of the kernels.
    struct Counts {
        cl_uint invalid = 0, duplicates = 0, cut = 0, clusters = 0, wrong = 0;
    };

    /// Whether sums of the problem fit in the kernels' 64 bits.
    static bool takes(const ClusterProblem& problem) { return problem.shared()->moment_bits() <= 64; }
    /// @param turns number of tables that exist at the same time
    static ScratchNeeds needs(const ClusterProblem& problem, std::size_t turns);

    /// @param rows_of_launch maximum @param divides centroids are divided on the device; otherwise x and y
    /// are the sums, as 64-bit integers
    TableOnDevice(const ClusterProblem& problem, std::size_t rows_of_launch, bool divides,
                  LaunchContext& context);
    void prepare(LaunchContext& context, const std::vector<Chunk>& chunks, std::size_t turns);
    /// @param turn which of the tables is written
    void enqueue(LaunchContext& context, const Chunk& chunk, const DigisOnDevice& digis, std::size_t turn);

    const Buffer& counts(std::size_t turn) const { return turns_[turn].counts; }
    const Buffer& module_clusters(std::size_t turn) const { return turns_[turn].module_clusters; }
    const Buffer& column(std::size_t turn, std::size_t i) const { return turns_[turn].columns[i]; }

  private:
    struct Table {
        Buffer counts, module_clusters;
        std::array<Buffer, n_columns> columns;
    };
    static std::size_t sum_words(const ClusterProblem& problem);
    void launch_rows(LaunchContext& context, const char* stage, const cl::Kernel& kernel, std::size_t rows,
                     std::size_t bytes);

    const ClusterProblem& problem_;
    std::size_t group_, place_group_, rows_of_launch_;
    cl::Kernel start_, add_, weigh_, place_, write_;
    Buffer sums_, group_clusters_;
    std::vector<Table> turns_;
};

}  // namespace ks::gpu::clusters
