#pragma once

#include <cstddef>

#include "gpu/clusters/chunk.h"

namespace ks::gpu::clusters {

/// Digis of a chunk grouped by slot, on the device (gpu/clusters/grouping.cl).
class Grouping {
  public:
    explicit Grouping(LaunchContext& context);

    static ScratchNeeds needs();
    void prepare(LaunchContext& context, const std::vector<Chunk>& chunks);
    /// Lists the slots with more than `small` and at most `limit` digis; overwrites labels.
    void enqueue(LaunchContext& context, const Chunk& chunk, const DigisOnDevice& digis, std::size_t small,
                 std::size_t limit);

    const Buffer& grouped() const { return grouped_; }
    const Buffer& starts() const { return starts_; }
    const Buffer& counts() const { return counts_; }
    const Buffer& listed() const { return listed_; }
    const Buffer& totals() const { return totals_; }

  private:
    std::size_t slot_group_, row_group_;
    cl::Kernel count_, place_, group_;
    Buffer grouped_, starts_, counts_, listed_, totals_;
};

/// The maximum number of rows and of slots over the chunks, at least 1.
struct LargestChunk {
    std::size_t rows = 1, slots = 1;
    explicit LargestChunk(const std::vector<Chunk>& chunks);
};

}  // namespace ks::gpu::clusters
