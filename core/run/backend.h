#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "core/base/progress.h"
#include "core/devices/ceilings.h"
#include "core/devices/device_info.h"
#include "core/devices/device_property.h"
#include "core/run/analysis.h"
#include "core/run/run.h"
#include "core/run/variant.h"

namespace ks {

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
    /// variant and device are set). Throws ks::Error.
    virtual void execute(const Problem& problem, Run& run, Progress& progress) = 0;
    /// Drops what stays on devices for later runs: the next one uploads all that it needs.
    virtual void forget() {}
    /// What the device can do at most; takes some seconds. Throws ks::Error, of kind `input` where this
    /// backend measures none.
    virtual Ceilings measure_ceilings(const DeviceInfo& device, const CeilingsPlan& plan,
                                      Progress& progress) = 0;
};

}  // namespace ks
