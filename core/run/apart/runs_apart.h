#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "core/base/progress.h"
#include "core/run/backend.h"
#include "core/run/request.h"
#include "core/run/run.h"

namespace ks {

/// What is to run in a process of its own, and on which problem.
struct RunApart {
    Request request;
    /// Of AnalysisInfo::benchmark, complete: the problem is made in memory. Nothing: the request's inputs.
    std::optional<ParameterSet> sizes = {};
    bool reads = false;        ///< inputs are read in each run, and that is part of its time
    bool forget = false;       ///< nothing is kept of the run before
    bool with_result = false;  ///< the datasets of the result are wanted; facts and warnings always come
};

/// A process that runs kernels of the user's own one after another, and that they may end. Nothing starts
/// before the first run; one after the end gets a new process. Launches that were recorded in the one before
/// are recorded again there.
class RunsApart {
  public:
    virtual ~RunsApart() = default;
    /// Engine::run() there, with a check where the request says so. Throws what that throws, and
    /// ks::Error(run) which says how the process ended, or that a kernel did not end in time.
    virtual Run run(const RunApart& asked, Progress& progress) = 0;
    /// Engine::record() there; throws as run() does. The launches need this object.
    virtual std::unique_ptr<RecordedLaunches> record(const RunApart& asked, Run& made,
                                                     Progress& progress) = 0;
    /// The number of the process that the next run meets; another one than that of a run before where that
    /// process has ended.
    virtual std::size_t process() const = 0;
};

/// How long a kernel may be under way and tell nothing; absent: for ever.
using KernelLimit = std::optional<std::chrono::milliseconds>;

/// @param seconds absent: for ever
inline KernelLimit limit_of(std::optional<double> seconds) {
    if (!seconds) return std::nullopt;
    return std::chrono::milliseconds(static_cast<std::int64_t>(*seconds * 1000));
}

/// Makes one. @param progress of the caller, which outlives it
using StartApart = std::function<std::unique_ptr<RunsApart>(Progress& progress, KernelLimit limit)>;

}  // namespace ks
