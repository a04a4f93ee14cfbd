#pragma once

#include <cstddef>

#include "gpu/clusters/chunk.h"

namespace ks::gpu::clusters {

/// Union-find in global memory, for modules of any size: all, or those with more than `limit` digis.
class GeneralPath {
  public:
    static constexpr std::size_t all = 0;                ///< as a limit: all modules take this path
    static constexpr const char* default_group = "256";  ///< value of WG, unless tuning() gives another
    static TuningTable tuning();

    GeneralPath(const ClusterProblem& problem, std::size_t limit, LaunchContext& context);

    ScratchNeeds needs() const;
    void prepare(LaunchContext& context, const std::vector<Chunk>& chunks);
    /// @param counts digis of each slot of the chunk, on the device; unused if the limit is `all`
    void enqueue(LaunchContext& context, const Chunk& chunk, const DigisOnDevice& digis,
                 const Buffer& counts);

    /// Number of modules over the limit, in the whole problem.
    static std::size_t modules_over(const ClusterProblem& problem, std::size_t limit);

  private:
    std::size_t digis_over(const Chunk& chunk) const;
    void launch_rows(LaunchContext& context, const char* stage, const cl::Kernel& kernel, std::size_t rows);

    const ClusterProblem& problem_;
    std::size_t limit_, group_;
    cl::Kernel start_, enter_, link_, sum_, finish_;
    Buffer table_, charge_;
    Slicer slicer_;
};

}  // namespace ks::gpu::clusters
