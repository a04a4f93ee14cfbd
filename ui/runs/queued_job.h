#pragma once

#include <QDateTime>
#include <QPointer>
#include <QString>
#include <array>
#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <variant>

#include "core/base/error.h"
#include "core/devices/device_info.h"
#include "core/run/request.h"
#include "core/run/run.h"
#include "core/wire/jobs.h"
#include "ui/runs/desk.h"
#include "ui/runs/run_table_model.h"

namespace ks::ui {

/// The peak rates of a device.
struct QueuedCeilings {
    DeviceInfo device;
};

/// Times of variants: one plan of those that were added together.
struct QueuedSweep {
    BenchPlan plan;
    QPointer<Sweep> by = {};  ///< whose signals report it
};

/// A search for the best configuration of a variant.
struct QueuedTuning {
    wire::TuneJob job;
    QPointer<Tuning> by = {};
};

/// A run that was requested and has not finished, with its inputs at the time of the request.
struct QueuedRun {
    int number = 0;  ///< that it will have in the table of runs
    Request request;
    bool alone = true;                   ///< untick the other runs when it comes back
    std::optional<RunRow> repeats = {};  ///< it is to be compared with this one
    bool ticked = true;                  ///< its result is shown when it comes back
    bool quiet = false;                  ///< its failure is reported by the caller
    QDateTime since = {};                ///< when it was requested
};

/// A run of which only a picture is wanted: it enters no table.
struct QueuedPreview {
    Request request;
};

/// More results for a run of the table, computed by a separate job.
struct Supplement {
    int number = 0;   ///< of the run
    Request request;  ///< of the job
    QString what;     ///< for the progress: "two-time of bin 4"
    /// The run with the results of the job. Throws ks::Error(run) where these are not in it.
    std::function<std::shared_ptr<const Run>(const Run& run, const Run& part)> join;
    /// Called once, when the run has the results or never will; `why` is the reason of the latter: of kind
    /// `cancelled` where the supplement was given up. May be null.
    std::function<void(const std::optional<Error>& why)> ended = nullptr;
};

struct QueuedCheck {
    int number = 0;  ///< of the run
    CheckMode mode = CheckMode::sample;
};

/// Variants whose runs are timed in turn, so that noise hits all of them alike.
struct TimedTurns {
    BenchPlan plan;
    QString what;  ///< for the progress: "timing user.mine and its base"
    std::function<void(const BenchReport&)> ready;
    /// There will be no report: of kind `cancelled` where they were given up.
    std::function<void(const Error&)> failed;
};

/// A job of the window, the most urgent kind first.
using JobData = std::variant<QueuedCeilings, QueuedSweep, QueuedTuning, QueuedRun, QueuedPreview, Supplement,
                             QueuedCheck, TimedTurns>;
enum class JobKind { ceilings, sweep, tuning, run, preview, supplement, check, turns };

/// How a kind of job gets along with others. One job is under way at a time.
struct JobRule {
    JobKind kind;
    bool alone;        ///< refused while a job is under way that is not interrupted
    bool interrupted;  ///< it stops for a more urgent job
    bool resumed;      ///< and waits then for another turn; Cancel drops it
    bool newestWins;   ///< a newer one with the same subject takes its place
    bool waits;        ///< for a worker, if there is none; others fail
    bool silent;       ///< the window does not count as busy
};
constexpr std::array<JobRule, std::variant_size_v<JobData>> jobRules{{
    // kind                 alone  interr. resumed newest waits  silent
    {JobKind::ceilings, true, false, false, false, false, false},
    {JobKind::sweep, true, false, false, false, false, false},
    {JobKind::tuning, true, false, false, false, false, false},
    {JobKind::run, false, false, false, false, true, false},
    {JobKind::preview, true, true, false, true, false, true},
    {JobKind::supplement, false, true, true, true, false, false},
    {JobKind::check, false, true, true, true, false, false},
    {JobKind::turns, false, true, true, true, false, false},
}};

inline JobKind kindOf(const JobData& job) {
    return static_cast<JobKind>(job.index());
}
inline const JobRule& ruleOf(JobKind kind) {
    return jobRules[static_cast<std::size_t>(kind)];
}
inline const JobRule& ruleOf(const JobData& job) {
    return jobRules[job.index()];
}
/// Of two jobs of a kind with the same subject the newer one wins: checks of one run; of other kinds any two.
inline int subjectOf(const JobData& job) {
    const auto* const check = std::get_if<QueuedCheck>(&job);
    return check ? check->number : 0;
}

}  // namespace ks::ui
