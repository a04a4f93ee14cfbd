#pragma once

#include <cstddef>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "core/clusters/problem.h"
#include "gpu/runtime/launch_context.h"

namespace ks::gpu::clusters {

using ks::clusters::ClusterProblem;
using ks::clusters::ModuleDigis;

/// Consecutive blocks of the input that are on the device at a time.
struct Chunk {
    std::size_t first_row = 0, rows = 0, first_slot = 0, slots = 0;
    std::span<const ModuleDigis::Block> blocks;
};

/// What a variant needs on the device for each digi and each slot, besides the digis themselves.
struct ScratchNeeds {
    std::uint64_t per_row = 0, per_slot = 0;
};

/// Chunks as large as the budget allows and as the device's type suggests: processors find small ones in
/// their caches, and cancel takes effect between chunks. Throws ks::Error(input) where one block is over the
/// budget.
std::vector<Chunk> chunks_of(const ClusterProblem& problem, const ScratchNeeds& scratch,
                             const LaunchContext& context);

/// The digis of a chunk: rows from 0.
class DigisOnDevice {
  public:
    DigisOnDevice(const ClusterProblem& problem, const std::vector<Chunk>& chunks, LaunchContext& context);
    void upload(const Chunk& chunk, LaunchContext& context);

    const Buffer& slot() const { return slot_; }
    const Buffer& x() const { return x_; }
    const Buffer& y() const { return y_; }
    const Buffer& adc() const { return adc_; }    ///< one value where charges are not cut
    const Buffer& cuts() const { return cuts_; }  ///< likewise
    cl_uint cut_count() const { return cut_count_; }
    const Buffer& labels() const { return labels_; }

  private:
    const ClusterProblem& problem_;
    Buffer slot_, x_, y_, adc_, cuts_, labels_;
    cl_uint cut_count_ = 1;
};

/// CONNECTIVITY, DROP and CUT as the problem has them.
std::map<std::string, std::string> problem_defines(const ClusterProblem& problem);

}  // namespace ks::gpu::clusters
