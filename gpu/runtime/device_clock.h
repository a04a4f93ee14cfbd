#pragma once

#include <CL/opencl.hpp>
#include <algorithm>
#include <chrono>
#include <cstdint>
#include <optional>

namespace ks::gpu {

/// The offset of a device's clock to the host's steady clock. OpenCL 1.2 does not report it, but each command
/// gives bounds for it: the device's time of queuing is after the host's call, and its time of the end is
/// before the host learns of it. The fastest call gives the best estimate of the offset, to within a few
/// microseconds.
class DeviceClock {
  public:
    using HostTime = std::chrono::steady_clock::time_point;

    /// Uses only the first few: each query takes the driver a microsecond.
    /// @param event of a command that has ended @param called when the host began to queue it
    void saw_call(const cl::Event& event, HostTime called) {
        constexpr int enough = 8;
        if (calls_ == enough) return;
        ++calls_;
        const auto queued = event.getProfilingInfo<CL_PROFILING_COMMAND_QUEUED>();
        const std::int64_t distance = nanoseconds(called) - static_cast<std::int64_t>(queued);
        least_ = std::max(least_.value_or(distance), distance);
    }
    /// @param end of a command, by the device's clock @param known when the host knew of it
    void saw_end(std::uint64_t end, HostTime known) {
        const std::int64_t distance = nanoseconds(known) - static_cast<std::int64_t>(end);
        most_ = std::min(most_.value_or(distance), distance);
    }
    /// Nanoseconds of the host's clock. An event must have been seen before.
    std::uint64_t on_host(std::uint64_t device) const {
        return static_cast<std::uint64_t>(static_cast<std::int64_t>(device) +
                                          (least_ ? *least_ : most_.value()));
    }

  private:
    static std::int64_t nanoseconds(HostTime time) {
        return std::chrono::duration_cast<std::chrono::nanoseconds>(time.time_since_epoch()).count();
    }
    std::optional<std::int64_t> least_, most_;  ///< the host's clock minus the device's
    int calls_ = 0;
};

}  // namespace ks::gpu
