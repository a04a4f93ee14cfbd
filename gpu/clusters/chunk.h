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

/// How the digis of a problem are on the device.
struct DigiShape {
    bool charges = false;    ///< adc is there
    std::size_t labels = 1;  ///< sets of labels: one is read back while others are written
    std::uint64_t bytes_of_row() const;
};

/// Chunks as large as the budget allows and at most of `max_rows` where they are of several blocks:
/// transfers, kernels and what the host does overlap by chunks, and cancel takes effect between them. Throws
/// ks::Error(input) where one block is over the budget.
/// @param needs of each row and slot, the digis included @param once bytes for all chunks
std::vector<Chunk> chunks_of(const ClusterProblem& problem, const ScratchNeeds& needs, std::uint64_t once,
                             std::size_t max_rows, const LaunchContext& context);

/// The digis of a chunk: rows from 0.
class DigisOnDevice {
  public:
    DigisOnDevice(const ClusterProblem& problem, const std::vector<Chunk>& chunks, const DigiShape& shape,
                  LaunchContext& context);
    /// Column by column; the host's memory may be reused on return.
    void upload(const Chunk& chunk, LaunchContext& context);
    /// Which set of labels labels() is.
    void take_turn(std::size_t turn) { turn_ = turn; }

    const Buffer& slot() const { return slot_; }
    const Buffer& x() const { return x_; }
    const Buffer& y() const { return y_; }
    const Buffer& adc() const { return adc_; }    ///< one value where they are not there
    const Buffer& cuts() const { return cuts_; }  ///< one value where charges are not cut
    cl_uint cut_count() const { return cut_count_; }
    const Buffer& labels() const { return labels_[turn_]; }

  private:
    const ClusterProblem& problem_;
    DigiShape shape_;
    Buffer slot_, x_, y_, adc_, cuts_;
    std::vector<Buffer> labels_;
    std::size_t turn_ = 0;
    cl_uint cut_count_ = 1;
};

/// CONNECTIVITY, DROP and CUT as the problem has them.
std::map<std::string, std::string> problem_defines(const ClusterProblem& problem);

}  // namespace ks::gpu::clusters
