#pragma once

#include <cstddef>
#include <memory>

#include "gpu/clusters/chunk.h"

namespace ks::gpu::clusters {

/// How a variant labels a chunk of digis.
class Labeller {
  public:
    virtual ~Labeller() = default;
    virtual ScratchNeeds needs() const = 0;
    /// Called once: allocates scratch memory for the largest of the chunks.
    virtual void prepare(LaunchContext& context, const std::vector<Chunk>& chunks) = 0;
    /// Enqueues the kernels that fill digis.labels() with rows of the whole input.
    virtual void enqueue(LaunchContext& context, const Chunk& chunk, const DigisOnDevice& digis) = 0;
    /// Modules with more digis than this take the general path.
    virtual std::size_t limit() const = 0;
};

using MakeLabeller = std::unique_ptr<Labeller> (*)(const ClusterProblem&, LaunchContext&);

/// Stages as published, one launch each.
std::unique_ptr<Labeller> make_staged(const ClusterProblem& problem, LaunchContext& context);
/// One group per module in local memory.
std::unique_ptr<Labeller> make_grouped(const ClusterProblem& problem, LaunchContext& context);
/// All digis in one table.
std::unique_ptr<Labeller> make_general(const ClusterProblem& problem, LaunchContext& context);
/// One item per event. Accepts modules of at most max_map_pixels pixels and events of at most max_block_digis
/// digis: with a larger one, an item could not be cancelled for a long time.
constexpr double max_map_pixels = 1 << 22, max_block_digis = 1 << 21;
std::unique_ptr<Labeller> make_mapped(const ClusterProblem& problem, LaunchContext& context);

}  // namespace ks::gpu::clusters
