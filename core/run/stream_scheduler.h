#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "core/base/progress.h"

namespace ks {

/// A piece of the input that is on the device as a whole or not at all.
struct SlabSpec {
    std::uint64_t device_bytes;   ///< while resident
    std::uint64_t staging_bytes;  ///< in host memory while it is read and uploaded
};

/// A unit of work that needs some slabs at the same time. Steps are executed in the order of the plan,
/// whatever the budget, so sums made in that order are the same bytes.
struct StreamStep {
    std::vector<std::size_t> slabs;
    double work = 1;  ///< relative, for the progress
};

struct StreamPlan {
    std::vector<SlabSpec> slabs;
    std::vector<StreamStep> steps;
    std::uint64_t fixed_bytes = 0;  ///< on the device all the time
};

/// What a variant does with slabs. `read` runs on a reader thread, one at a time, ahead of the others, or on
/// the caller's where compute_threads() is 1; the rest runs on the caller's thread.
class StreamClient {
  public:
    virtual ~StreamClient() = default;
    /// Fills staging buffer `buffer` (0 or 1) with the slab's content.
    virtual void read(std::size_t slab, std::size_t buffer) = 0;
    /// Makes the slab resident from staging buffer `buffer`, which may be reused on return.
    virtual void upload(std::size_t slab, std::size_t buffer) = 0;
    virtual void evict(std::size_t slab) = 0;
    virtual void execute(std::size_t step) = 0;
};

/// Executes the plan within `budget` bytes of device memory: evicts the slab whose next use is farthest,
/// reads ahead while steps execute. The budget is device memory: the two staging buffers, each as large as
/// the largest staging_bytes, are host memory and come on top (see staging_bytes()). What is resident after
/// the last step is left to the client. Throws ks::Error(input) naming the smallest budget that would do
/// where a step does not fit.
void run_stream(const StreamPlan& plan, std::uint64_t budget, StreamClient& client, Progress& progress,
                const std::string& stage);

/// The smallest budget that the plan can be executed with.
std::uint64_t smallest_budget(const StreamPlan& plan);

/// Host memory of the two staging buffers.
std::uint64_t staging_bytes(const StreamPlan& plan);

}  // namespace ks
