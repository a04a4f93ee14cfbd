#pragma once

#include <map>
#include <string>
#include <vector>

#include "core/base/fields.h"
#include "core/devices/device_info.h"
#include "core/io/files/file_record.h"
#include "core/run/build_log.h"
#include "core/run/printed.h"
#include "core/run/request.h"
#include "core/run/result.h"
#include "core/run/sharing/device_share.h"
#include "core/run/timing.h"
#include "core/run/variant.h"
#include "core/run/verdict.h"

namespace ks {

/// A request with everything that resulted from it. Never changed once made; a later check makes a new one
/// with another verdict.
struct Run {
    Request request;  ///< completed: variant, device, all parameters
    Variant variant;
    DeviceInfo device;
    Result result;
    std::vector<Timing> timings;
    std::vector<BuildLog> builds;
    Verdict verdict;
    std::uint64_t wall_nanoseconds = 0;   ///< end to end, without the check
    std::uint64_t device_bytes_peak = 0;  ///< peak sum of device buffers held for this run
    std::string started;                  ///< ISO 8601, UTC
    std::string version;                  ///< of the program
    /// Defines taken from the user's table of tuned values (core/devices/user_tuning.h). Those of the
    /// request take precedence.
    std::map<std::string, std::string> tuned = {};
    /// For a run shared by several devices, in the order of the request; `device` is the first. Else empty.
    std::vector<DeviceShare> devices = {};
    /// All files read, in the state in which they were opened; empty for a problem generated in memory.
    std::vector<FileRecord> files = {};
    /// Output of the user's kernels in the process that ran them. Not sent, not saved.
    Printed printed = {};
    /// What a table of the run says about it besides a wrong result: "outdated (Size)". Not sent, not saved.
    std::vector<std::string> notes = {};
};

void fields(auto& visit, ConstOr<Run> auto& run) {
    visit("request", run.request);
    visit("variant", run.variant);
    visit("device", run.device);
    visit("result", run.result);
    visit("timings", run.timings);
    visit("builds", run.builds);
    visit("verdict", run.verdict);
    visit("wall_nanoseconds", run.wall_nanoseconds);
    visit("device_bytes_peak", run.device_bytes_peak);
    visit("started", run.started);
    visit("version", run.version);
    visit.added("tuned", run.tuned);
    visit.added("devices", run.devices);
    visit.added("files", run.files);
}

}  // namespace ks
