#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "core/base/progress.h"

namespace ks {

/// A piece of the input that is on the device as a whole or not at all.
struct SlabSpec {
    std::uint64_t device_bytes;   ///< while resident; 0: in places of the client's own, and never evicted
    std::uint64_t staging_bytes;  ///< in host memory while it is read and uploaded
};

/// A unit of work that needs some slabs at the same time. Steps are executed, and delivered, in the order of
/// the plan, whatever the budget, so sums made in that order are the same bytes.
struct StreamStep {
    std::vector<std::size_t> slabs;
    double work = 1;  ///< relative, for the progress
};

struct StreamPlan {
    std::vector<SlabSpec> slabs;
    std::vector<StreamStep> steps;
    std::uint64_t fixed_bytes = 0;    ///< on the device all the time
    std::size_t steps_at_once = 1;    ///< executed and not yet delivered: 2 keep a device busy meanwhile
    std::size_t reads_at_once = 1;    ///< threads that read
    std::size_t staging_buffers = 2;  ///< each as large as the largest staging_bytes
};

/// What a run does with its plan. `read` runs on reader threads ahead of the others, or on the caller's where
/// compute_threads() is 1 or nothing is staged; `deliver` may run on another thread, one step at a time; the
/// rest runs on the caller's thread.
class StreamClient {
  public:
    virtual ~StreamClient() = default;
    /// What is to be made before the first upload, while the first slabs are read.
    virtual void prepare() {}
    /// Fills a staging buffer with the slab's content; at most reads_at_once calls at a time.
    virtual void read(std::size_t /*slab*/, std::size_t /*buffer*/) {}
    /// Makes the slab resident from the staging buffer, which may be given to read() on return.
    virtual void upload(std::size_t slab, std::size_t buffer) = 0;
    virtual void evict(std::size_t /*slab*/) {}
    /// Begins a step; a device may still be at it on return.
    virtual void execute(std::size_t step) = 0;
    /// Whether collect() would not wait. Asked between uploads for the step after.
    virtual bool is_done(std::size_t /*step*/) { return false; }
    /// Waits until the device has done the step, and takes what it left.
    virtual void collect(std::size_t /*step*/) {}
    /// What the host makes of what was collected: beside the uploads for the step after, where is_done()
    /// was true between them.
    virtual void deliver(std::size_t /*step*/) {}
};

/// Executes the plan within `budget` bytes of device memory: evicts the slab whose next use is farthest,
/// reads ahead while steps execute, executes the next step before one is collected. The budget is device
/// memory: the staging buffers are host memory and come on top (see staging_bytes()). What is resident after
/// the last step is left to the client. Throws ks::Error(input) naming the smallest budget that would do
/// where a step does not fit.
void run_stream(const StreamPlan& plan, std::uint64_t budget, StreamClient& client, Progress& progress,
                const std::string& stage);

/// The smallest budget that the plan can be executed with.
std::uint64_t smallest_budget(const StreamPlan& plan);

/// Host memory of the staging buffers.
std::uint64_t staging_bytes(const StreamPlan& plan);

}  // namespace ks
