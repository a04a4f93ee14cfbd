#pragma once

#include <QDateTime>
#include <QString>
#include <algorithm>
#include <array>
#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <variant>
#include <vector>

#include "core/base/error.h"
#include "core/run/repeats/repeats.h"
#include "core/run/request.h"
#include "core/run/run.h"
#include "core/wire/jobs.h"
#include "ui/runs/desk.h"
#include "ui/runs/run_table_model.h"
#include "ui/runs/worker_job.h"

namespace ks::ui {

/// What the queue passes on as it is: the receiver of the job gets the results.
struct AskedJob {
    WorkerJob job;
    QString what = {};    ///< while it is under way: "Tuning gram.tiled"
    QString stages = {};  ///< how its progress is shown: "tuning: %1"; empty: as `what`
    /// It has begun, or all that were added together have ended. May be null.
    std::function<void(bool running)> changed = nullptr;
};

/// Peak rates, times of variants, or a search for a configuration: nothing else runs meanwhile. Several that
/// are added together follow one another.
struct QueuedMeasurement : AskedJob {};

/// A run that was requested and has not finished, with its inputs at the time of the request.
struct QueuedRun {
    int number = 0;  ///< that it will have in the table of runs
    Request request;
    bool alone = true;                   ///< untick the other runs when it comes back
    std::optional<RunRow> repeats = {};  ///< it is to be compared with this one
    bool ticked = true;                  ///< its result is shown when it comes back
    bool quiet = false;                  ///< its failure is reported by the caller
    QDateTime since = {};                ///< when it was requested
    RepeatSet set = {};                  ///< of which it is the average; without names: it is one run
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
struct TimedTurns : AskedJob {};

/// What a page or a tool asks the worker: Desk::ask().
struct Question : AskedJob {};

/// A job of the window, the most urgent kind first.
using JobData =
    std::variant<QueuedMeasurement, QueuedRun, QueuedPreview, Supplement, QueuedCheck, TimedTurns, Question>;
/// Position of a kind in JobData.
using JobKind = std::size_t;
template <class Data, class... Kinds>
constexpr JobKind positionIn(std::type_identity<std::variant<Kinds...>>) {
    const std::array same{std::is_same_v<Data, Kinds>...};
    return static_cast<JobKind>(std::ranges::find(same, true) - same.begin());
}
template <class Data>
constexpr JobKind jobKind = positionIn<Data>(std::type_identity<JobData>());

/// How a kind of job gets along with others. One job is under way at a time.
struct JobRule {
    JobKind kind;
    bool alone;        ///< refused while a job is under way that is not interrupted
    bool interrupted;  ///< it stops for a more urgent job
    bool resumed;      ///< and waits then for another turn; Cancel drops it
    bool newestWins;   ///< a newer one with the same subject takes its place
    bool waits;        ///< for a worker, if there is none; others fail
    bool silent;       ///< neither the window counts as busy, nor is progress shown
};
constexpr std::array<JobRule, std::variant_size_v<JobData>> jobRules{{
    // kind                   alone  interr. resumed newest waits  silent
    {jobKind<QueuedMeasurement>, true, false, false, false, false, false},
    {jobKind<QueuedRun>, false, false, false, false, true, false},
    {jobKind<QueuedPreview>, true, true, false, true, false, true},
    {jobKind<Supplement>, false, true, true, true, false, false},
    {jobKind<QueuedCheck>, false, true, true, true, false, false},
    {jobKind<TimedTurns>, false, true, true, true, false, false},
    {jobKind<Question>, false, true, true, true, false, true},
}};
static_assert(std::ranges::is_sorted(jobRules, std::less_equal(), &JobRule::kind) &&
                  jobRules.back().kind + 1 == jobRules.size(),
              "one row per kind, in their order");

inline const JobRule& ruleOf(const JobData& job) {
    return jobRules[job.index()];
}
/// Null: the queue makes the worker's job itself.
inline const AskedJob* askedOf(const JobData& data) {
    return std::visit(
        [](const auto& job) -> const AskedJob* {
            if constexpr (std::is_base_of_v<AskedJob, std::decay_t<decltype(job)>>) return &job;
            return nullptr;
        },
        data);
}
/// Of two jobs of a kind with the same subject the newer one wins: checks of one run; questions of one kind
/// of one receiver; of other kinds any two.
using JobSubject = std::tuple<int, const QObject*, std::string_view>;
inline JobSubject subjectOf(const JobData& job) {
    if (const auto* const check = std::get_if<QueuedCheck>(&job)) return {check->number, nullptr, {}};
    if (const auto* const question = std::get_if<Question>(&job))
        return {0, question->job.receiver.data(), question->job.kind};
    return {};
}

}  // namespace ks::ui
