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

/// Times of launches that were repeated.
struct RepeatedLaunches {
    /// Of each repetition, from the start of its first command to the end of its last one, by events.
    std::vector<double> device_nanoseconds;
    double wall_nanoseconds = 0;  ///< from the first call to the end of all
};

/// The launches of a run, with copies of their arguments and the buffers that these name.
class RecordedLaunches {
  public:
    virtual ~RecordedLaunches() = default;
    /// Kernels and fills of a repetition.
    virtual std::size_t commands() const = 0;
    /// Launches all of them `count` times, queued back to back. Throws ks::Error, of kind `cancelled` too.
    virtual RepeatedLaunches repeat(std::size_t count, Progress& progress) = 0;
    /// Empty where the repetitions found what the run had found, and left what it had left; else one sentence
    /// that says why their times are of other work.
    virtual std::string why_not_the_same() = 0;
};

/// Where variants run: the host's threads, or OpenCL. Holds devices, programs and resident data between runs.
class Backend {
  public:
    virtual ~Backend() = default;

    /// "host", "opencl"
    virtual std::string name() const = 0;
    virtual std::vector<DeviceInfo> devices() = 0;
    /// All that a device of devices() says of itself, grouped, in the order of lists.
    virtual std::vector<DeviceProperty> properties(const DeviceInfo&) { return {}; }
    /// Texts of all kernel files by their path: "gpu/xpcs/seed_naive.cl".
    virtual std::map<std::string, std::string> kernel_files() { return {}; }
    /// All variants that this backend has code for, whatever the device.
    virtual const std::vector<Variant>& variants() const = 0;
    /// Empty where the variant can run on the device, else one sentence that says why not.
    virtual std::string why_not(const Variant& variant, const DeviceInfo& device) = 0;
    /// Makes what the first run on a device waits for, on whatever thread; nothing else of this backend is
    /// called meanwhile. What fails is told by the run.
    virtual void open(const DeviceInfo&) {}
    /// Runs a completed request; fills result, timings, builds and device_bytes_peak of `run` (whose request,
    /// variant and device are set). Throws ks::Error. May be called from several threads at once for
    /// devices of which each has a context of its own (DeviceInfo::index and context).
    virtual void execute(const Problem& problem, Run& run, Progress& progress) = 0;
    /// The same, and keeps the launches. Throws ks::Error(input) where they cannot be repeated by themselves.
    virtual std::unique_ptr<RecordedLaunches> record(const Problem&, Run& run, Progress&) {
        throw Error(ErrorKind::input, "it has no kernels that could be launched again by themselves",
                    run.variant.id);
    }
    /// Drops what stays on devices for later runs: the next one uploads all that it needs.
    virtual void forget() {}
    /// What the device can do at most; takes some seconds. Throws ks::Error, of kind `input` where this
    /// backend measures none.
    virtual Ceilings measure_ceilings(const DeviceInfo& device, const CeilingsPlan& plan,
                                      Progress& progress) = 0;
};

}  // namespace ks
