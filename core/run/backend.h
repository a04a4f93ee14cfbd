#pragma once

#include <cstddef>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "core/base/error.h"
#include "core/base/progress.h"
#include "core/devices/ceilings.h"
#include "core/devices/device_info.h"
#include "core/devices/device_property.h"
#include "core/run/analysis.h"
#include "core/run/run.h"
#include "core/run/variant.h"

namespace ks {

/// Times of repeated launches.
struct RepeatedLaunches {
    /// Per repetition, from the start of its first command to the end of its last, by events.
    std::vector<double> device_nanoseconds;
    double wall_nanoseconds = 0;  ///< from the first call until all have ended
};

/// The launches of a run, with copies of their arguments and of the buffers these refer to.
class RecordedLaunches {
  public:
    virtual ~RecordedLaunches() = default;
    /// Number of kernels and fills per repetition.
    virtual std::size_t commands() const = 0;
    /// Launches all of them `count` times, queued back to back. Throws ks::Error, including kind `cancelled`.
    virtual RepeatedLaunches repeat(std::size_t count, Progress& progress) = 0;
    /// Empty if the repetitions had the same inputs and outputs as the run; otherwise one sentence that says
    /// why their times are not comparable with it.
    virtual std::string why_not_the_same() = 0;
};

/// Where variants run: threads of the host, or OpenCL. Keeps devices, programs and resident
/// data between runs.
class Backend {
  public:
    virtual ~Backend() = default;

    /// "host", "opencl"
    virtual std::string name() const = 0;
    virtual std::vector<DeviceInfo> devices() = 0;
    /// Everything a device of devices() reports, grouped, in display order.
    virtual std::vector<DeviceProperty> properties(const DeviceInfo&) { return {}; }
    /// Texts of all kernel files by path: "gpu/xpcs/seed_naive.cl".
    virtual std::map<std::string, std::string> kernel_files() { return {}; }
    /// Text of one of variants() with the included files in their places, as compilers get it; empty for
    /// host.*.
    virtual std::string kernel_text_with_files(const Variant& variant) { return variant.source; }
    /// All variants this backend implements, for any device.
    virtual const std::vector<Variant>& variants() const = 0;
    /// Empty if the variant can run on the device, else the reason in one sentence.
    virtual std::string why_not(const Variant& variant, const DeviceInfo& device) = 0;
    /// Creates in advance what the first run on a device would have to wait for. May be called on any thread,
    /// but no other function of this backend may be called meanwhile. Failures are reported by the run.
    virtual void open(const DeviceInfo&) {}
    /// Runs a completed request; fills result, timings, builds and device_bytes_peak of `run` (whose request,
    /// variant and device are set). Throws ks::Error. May be called from several threads at once for devices
    /// with separate contexts (DeviceInfo::index and context).
    virtual void execute(const Problem& problem, Run& run, Progress& progress) = 0;
    /// Like execute(), and keeps the launches. Throws ks::Error(input) if they cannot
    /// be repeated separately.
    virtual std::unique_ptr<RecordedLaunches> record(const Problem&, Run& run, Progress&) {
        throw Error(ErrorKind::input, "it has no kernels that can be launched again separately",
                    run.variant.id);
    }
    /// Drops data kept on devices for later runs: the next run uploads everything it needs.
    virtual void forget() {}
    /// Measures the peak rates of the device; takes some seconds. Throws ks::Error, of kind `input` if
    /// this backend has no such measurement.
    virtual Ceilings measure_ceilings(const DeviceInfo& device, const CeilingsPlan& plan,
                                      Progress& progress) = 0;
};

}  // namespace ks
