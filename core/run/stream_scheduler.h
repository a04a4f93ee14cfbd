#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "core/base/progress.h"

namespace ks {

/// A piece of the input that is on the device either completely or not at all.
struct SlabSpec {
    std::uint64_t device_bytes;   ///< while resident; 0: in memory of the client, never evicted
    std::uint64_t staging_bytes;  ///< in host memory while it is read and uploaded
};

/// A unit of work that needs some slabs at the same time. Steps are executed and delivered in the order of
/// the plan, whatever the budget is. So sums that are formed in this order have the same bytes for any
/// budget.
struct StreamStep {
    std::vector<std::size_t> slabs;
    double work = 1;  ///< relative, for the progress
};

struct StreamPlan {
    std::vector<SlabSpec> slabs;
    std::vector<StreamStep> steps;
    std::uint64_t fixed_bytes = 0;    ///< permanently on the device
    std::size_t steps_at_once = 1;    ///< executed but not yet delivered: 2 keep a device busy
    std::size_t reads_at_once = 1;    ///< reader threads
    std::size_t staging_buffers = 2;  ///< each as large as the largest staging_bytes
};

/// The operations of a plan. `read` runs on reader threads ahead of the others, or on the caller's thread
/// if compute_threads() is 1 or nothing is staged; `deliver` may run on another thread, one step at a
/// time; everything else runs on the caller's thread.
class StreamClient {
  public:
    virtual ~StreamClient() = default;
    /// Work before the first upload, while the first slabs are being read.
    virtual void prepare() {}
    /// Fills a staging buffer with the content of the slab; at most reads_at_once concurrent calls.
    virtual void read(std::size_t /*slab*/, std::size_t /*buffer*/) {}
    /// Makes the slab resident from the staging buffer, which may be passed to read() again after return.
    virtual void upload(std::size_t slab, std::size_t buffer) = 0;
    virtual void evict(std::size_t /*slab*/) {}
    /// Begins a step; a device may still be executing it on return.
    virtual void execute(std::size_t step) = 0;
    /// Whether collect() would return without waiting. Called between uploads for the next step.
    virtual bool is_done(std::size_t /*step*/) { return false; }
    /// Waits until the device has finished the step, and fetches its output.
    virtual void collect(std::size_t /*step*/) {}
    /// Processes the collected output on the host. This runs in parallel with uploads for the next step, if
    /// is_done() was true between them.
    virtual void deliver(std::size_t /*step*/) {}
};

/// Executes the plan within `budget` bytes of device memory: evicts the slab whose next use is farthest,
/// reads ahead while steps execute, and executes the next step before one is collected. The budget covers
/// device memory; staging buffers are additional host memory (see staging_bytes()). The slabs resident after
/// the last step are left to the client. Throws ks::Error(input) naming the smallest sufficient budget if
/// a step does not fit.
void run_stream(const StreamPlan& plan, std::uint64_t budget, StreamClient& client, Progress& progress,
                const std::string& stage);

/// The smallest budget that suffices for the plan.
std::uint64_t smallest_budget(const StreamPlan& plan);

/// Host memory of the staging buffers.
std::uint64_t staging_bytes(const StreamPlan& plan);

}  // namespace ks
