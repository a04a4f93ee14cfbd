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

/// Consecutive blocks of the input that are on the device at the same time.
struct Chunk {
    std::size_t first_row = 0, rows = 0, first_slot = 0, slots = 0;
    std::span<const ModuleDigis::Block> blocks;
};

/// Device memory a variant needs per digi and per slot, in addition to the digis themselves.
struct ScratchNeeds {
    std::uint64_t per_row = 0, per_slot = 0;
};

/// How the digis of a problem are stored on the device.
struct DigiShape {
    bool charges = false;    ///< adc is stored
    std::size_t labels = 1;  ///< sets of labels: one is downloaded while others are written
    std::uint64_t bytes_of_row() const;
};

/// Chunks as large as the budget allows, with at most `max_rows` if they consist of several blocks:
/// transfers, kernels and host work overlap between chunks, and cancellation takes effect between them.
/// Throws ks::Error(input) if a single block exceeds the budget.
/// @param needs per row and slot, including the digis @param once bytes for all chunks
std::vector<Chunk> chunks_of(const ClusterProblem& problem, const ScratchNeeds& needs, std::uint64_t once,
                             std::size_t max_rows, const LaunchContext& context);

/// The digis of a chunk: rows from 0.
class DigisOnDevice {
  public:
    DigisOnDevice(const ClusterProblem& problem, const std::vector<Chunk>& chunks, const DigiShape& shape,
                  LaunchContext& context);
    /// Uploads column by column; the host's memory may be reused on return.
    void upload(const Chunk& chunk, LaunchContext& context);
    /// Selects the set of labels returned by labels().
    void take_turn(std::size_t turn) { turn_ = turn; }

    const Buffer& slot() const { return slot_; }
    const Buffer& x() const { return x_; }
    const Buffer& y() const { return y_; }
    const Buffer& adc() const { return adc_; }    ///< a single value if not stored
    const Buffer& cuts() const { return cuts_; }  ///< a single value if charges are not cut
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

/// CONNECTIVITY, DROP and CUT from the problem.
std::map<std::string, std::string> problem_defines(const ClusterProblem& problem);

}  // namespace ks::gpu::clusters
