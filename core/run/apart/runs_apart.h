#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>

#include "core/base/fields.h"
#include "core/base/progress.h"
#include "core/run/backend.h"
#include "core/run/request.h"
#include "core/run/run.h"

namespace ks {

/// What to run in a separate process, and on which problem.
struct RunApart {
    Request request;
    /// All of AnalysisInfo::benchmark: the problem is generated in memory. Absent: the request's inputs.
    std::optional<ParameterSet> sizes = {};
    bool reads = false;        ///< each run reads the inputs, and its time includes that
    bool forget = false;       ///< nothing is kept from the previous run
    bool with_result = false;  ///< return the datasets of the result; facts and warnings are always returned
};

KS_FIELDS(RunApart, request, sizes, reads, forget, with_result)
void fields(auto& visit, ConstOr<RepeatedLaunches> auto& times) {
    visit("device_ns", times.device_nanoseconds);
    visit("wall_ns", times.wall_nanoseconds);
}

/// A separate process that runs the user's kernels one after another, so that a kernel may crash it. The
/// process is started by the first run, and a new one by the first run after a crash. Launches that were
/// recorded in the previous process are recorded again in the new one.
class RunsApart {
  public:
    virtual ~RunsApart() = default;
    /// Engine::run() in that process, with a check if the request says so. Throws what Engine::run()
    /// throws, and ks::Error(run) if the process ended or a kernel did not end in time.
    virtual Run run(const RunApart& asked, Progress& progress) = 0;
    /// Engine::record() in that process; throws as run() does. The launches need this object.
    virtual std::unique_ptr<RecordedLaunches> record(const RunApart& asked, Run& made,
                                                     Progress& progress) = 0;
    /// Number of the process that the next run will use; it changes when a process has ended.
    virtual std::size_t process() const = 0;
};

/// How long a kernel may run without progress; absent: no limit.
using KernelLimit = std::optional<std::chrono::milliseconds>;

/// @param seconds absent: no limit
inline KernelLimit limit_of(std::optional<double> seconds) {
    if (!seconds) return std::nullopt;
    return std::chrono::milliseconds(static_cast<std::int64_t>(*seconds * 1000));
}

/// Creates one. @param progress of the caller, which outlives it
using StartApart = std::function<std::unique_ptr<RunsApart>(Progress& progress, KernelLimit limit)>;

}  // namespace ks
