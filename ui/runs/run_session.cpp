#include "ui/runs/run_session.h"

#include <algorithm>
#include <utility>

#include "core/run/build_stage.h"
#include "ui/runs/worker_client.h"

namespace ks::ui {
namespace {

Error givenUp(const char* why) {
    return Error(ErrorKind::cancelled, why);
}

/// A stage of a job, as the status bar shows it.
QString stageOf(const JobData& job, const QString& stage) {
    if (const auto* const supplement = std::get_if<Supplement>(&job)) return supplement->what;
    if (const auto* const turns = std::get_if<TimedTurns>(&job)) return turns->what;
    switch (kindOf(job)) {
        case JobKind::ceilings:
            return RunSession::tr("ceilings: %1").arg(stage);
        case JobKind::sweep:
            return RunSession::tr("benchmark: %1").arg(stage);
        case JobKind::tuning:
            return RunSession::tr("tuning: %1").arg(stage);
        case JobKind::check:
            return RunSession::tr("check: %1").arg(stage);
        default:
            return stage;
    }
}

}  // namespace

RunSession::RunSession(WorkerClient& worker, RunTableModel& runs, QObject* parent)
    : QObject(parent), worker_(worker), runs_(runs) {
    connect(&worker_, &WorkerClient::catalogueReady, this, &RunSession::next);
    connect(&worker_, &WorkerClient::jobBegins, this, [this] {
        if (showsBuild_) showRun();
    });
}

int RunSession::run(const Request& request, bool alone, std::optional<RunRow> repeats) {
    return enqueue({.request = request, .alone = alone, .repeats = std::move(repeats)});
}

int RunSession::tryOut(const Request& request, bool ticked) {
    return enqueue({.request = request, .alone = false, .ticked = ticked, .quiet = true});
}

int RunSession::enqueue(QueuedRun entry) {
    entry.number = runs_.reserveNumber();
    const int number = entry.number;
    if (worker_.givenUp())
        emit failed(Error(ErrorKind::run, (nameOf(entry) + tr(" waits: there is no worker")).toStdString(),
                          {}, "Tools > Restart worker starts one"));
    queue_.add(std::move(entry));
    next();
    return number;
}

void RunSession::add(std::vector<JobData> jobs) {
    if (jobs.empty() || !queue_.accepts(kindOf(jobs.front()))) return;
    for (JobData& job : jobs)
        for (const JobData& replaced : queue_.add(std::move(job)))
            drop(replaced, givenUp("another one was requested"));
    next();
}

void RunSession::dropTurns() {
    const RunQueue::Job* const now = queue_.underWay();
    if (now && kindOf(now->data) == JobKind::turns) worker_.cancel();
    dropAll([](const RunQueue::Job& job) { return kindOf(job.data) == JobKind::turns; },
            "they were given up");
    next();
}

void RunSession::warm(const Request& request) {
    if (!worker_.idle() || busy()) return;
    worker_.ask<wire::WarmJob>(this, {request},
                               {.answer = [this](const auto&) { emit warmed(true); },
                                .failed = [this](const Error&) { emit warmed(false); }});
}

bool RunSession::busy() const {
    return std::ranges::any_of(queue_.jobs(), [this](const RunQueue::Job& job) {
        const JobRule& rule = ruleOf(job.data);
        return !rule.silent && (job.start || !rule.waits || !worker_.givenUp());
    });
}

void RunSession::cancel() {
    if (!running())
        dropAll([](const RunQueue::Job& job) { return !job.start && ruleOf(job.data).resumed; },
                "it was cancelled");
    worker_.cancel();
}

void RunSession::cancelRun(int number) {
    const QueuedRun* const now = queue_.running();
    if (now && now->number == number) return worker_.cancel();
    dropAll(
        [number](const RunQueue::Job& job) {
            const auto* const run = std::get_if<QueuedRun>(&job.data);
            return run && run->number == number;
        },
        "it was taken from the queue");
    next();
}

void RunSession::cancelAll() {
    dropAll([](const RunQueue::Job& job) { return !job.start && kindOf(job.data) == JobKind::run; },
            "it was taken from the queue");
    cancel();
    next();
}

void RunSession::dropAll(const std::function<bool(const RunQueue::Job&)>& wanted, const char* why) {
    for (const JobData& job : queue_.take(wanted)) drop(job, givenUp(why));
}

void RunSession::drop(const JobData& job, const Error& why) {
    if (const auto* const run = std::get_if<QueuedRun>(&job)) emit notRun(run->number, why);
    if (const auto* const check = std::get_if<QueuedCheck>(&job)) runs_.setChecking(check->number, false);
    if (const auto* const turns = std::get_if<TimedTurns>(&job)) turns->failed(why);
    const auto* const supplement = std::get_if<Supplement>(&job);
    if (supplement && supplement->ended) supplement->ended(why);
}

void RunSession::next() {
    while (const std::optional<RunQueue::Turn> turn = queue_.next(!worker_.givenUp())) {
        const JobData job = queue_.find(turn->start)->data;
        if (turn->interrupted) {
            if (const auto* const check = std::get_if<QueuedCheck>(&*turn->interrupted))
                runs_.setChecking(check->number, false);
            if (kindOf(*turn->interrupted) == JobKind::preview)
                emit previewFailed(givenUp("a newer run took its place"));
        }
        if (std::visit([&](const auto& one) { return begin(turn->start, one); }, job)) return;
        queue_.end(turn->start);
    }
    if (!busy()) emit busyChanged(false, {});
}

template <class Job>
void RunSession::ask(int start, Job job,
                     std::function<void(std::shared_ptr<const typename Job::Answer>)> done,
                     std::function<void(const typename Job::Part&)> part) {
    Callbacks<Job> callbacks;
    callbacks.answer = [this, start, done = std::move(done)](const auto& answer) {
        if (!queue_.end(start)) return;
        done(answer);
        next();
    };
    callbacks.failed = [this, start](const Error& error) { onFailed(start, error); };
    callbacks.progress = [this, start](double fraction, const QString& stage) {
        onProgress(start, fraction, stage);
    };
    if (part)
        callbacks.part = [this, start, part = std::move(part)](const auto& one) {
            if (queue_.find(start)) part(one);
        };
    worker_.ask(this, std::move(job), std::move(callbacks));
}

bool RunSession::begin(int start, const QueuedCeilings& job) {
    ask<wire::CeilingsJob>(start, {job.device.index < 0 ? "host" : std::to_string(job.device.index)},
                           [this](const auto& ceilings) { emit ceilingsReady(*ceilings); });
    emit busyChanged(true, tr("Measuring the peak rates of %1").arg(QString::fromStdString(job.device.name)));
    return true;
}

bool RunSession::begin(int start, const QueuedSweep& job) {
    const auto done = [this, job](const auto& report) {
        job.ready(*report);
        if (!queue_.holds(JobKind::sweep)) job.changed(false);
    };
    ask<wire::BenchJob>(start, {job.plan}, done, job.part);
    job.changed(true);
    emit busyChanged(true, tr("Timing variants of %1").arg(QString::fromStdString(job.plan.analysis)));
    return true;
}

bool RunSession::begin(int start, const QueuedTuning& job) {
    const auto done = [job](const auto& report) {
        job.ready(*report);
        job.changed(false);
    };
    ask<wire::TuneJob>(start, job.job, done, job.part);
    job.changed(true);
    emit busyChanged(true, tr("Tuning %1").arg(QString::fromStdString(job.job.plan.variant)));
    return true;
}

bool RunSession::begin(int start, const QueuedRun& job) {
    ask<wire::RunJob>(start, {job.request}, [this, job](const auto& run) { takeRun(job, run); });
    showRun();
    return true;
}

bool RunSession::begin(int start, const QueuedPreview& job) {
    ask<wire::RunJob>(start, {job.request}, [this](const auto& run) { emit previewReady(run); });
    return true;
}

bool RunSession::begin(int start, const Supplement& job) {
    std::optional<Error> why;
    if (worker_.givenUp())
        why = Error(ErrorKind::run, "there is no worker", {}, "Tools > Restart worker starts one");
    else if (!runs_.find(job.number))
        why = givenUp("the run is no longer in the table");
    if (why) {
        drop(job, *why);
        return false;
    }
    ask<wire::RunJob>(start, {job.request}, [this, job](const auto& part) { join(job, *part); });
    emit busyChanged(true, job.what);
    return true;
}

bool RunSession::begin(int start, const QueuedCheck& job) {
    const RunRow* const row = runs_.find(job.number);
    if (!row) return false;
    ask<wire::CheckJob>(start, {{row->run}, job.mode}, [this, number = job.number](const auto& verdict) {
        runs_.setVerdict(number, *verdict);
        emit verdictChanged(number);
    });
    runs_.setChecking(job.number, true);
    emit busyChanged(true, tr("Checking run %1").arg(job.number));
    return true;
}

bool RunSession::begin(int start, const TimedTurns& job) {
    ask<wire::BenchJob>(start, {job.plan}, [job](const auto& report) { job.ready(*report); });
    emit busyChanged(true, job.what);
    return true;
}

void RunSession::takeRun(const QueuedRun& job, const std::shared_ptr<const Run>& run) {
    const int number =
        job.ticked ? runs_.addRun(run, job.alone, job.number) : runs_.bringBack(run, job.number, false);
    if (run->verdict.state == Verdict::State::unchecked) queue_.add(QueuedCheck{number, CheckMode::sample});
    emit runAdded(number, run);
    if (job.repeats) emit repeatReady(*job.repeats, run);
}

void RunSession::join(const Supplement& job, const Run& part) {
    std::optional<Error> why;
    const RunRow* const row = runs_.find(job.number);
    try {
        if (!row) {
            why = givenUp("the run is no longer in the table");
        } else {
            // The verdict is not of the new results: the run is checked again, as it was.
            const bool fully = row->run->verdict.state == Verdict::State::pass;
            runs_.replaceRun(job.number, job.join(*row->run, part));
            queue_.add(QueuedCheck{job.number, fully ? CheckMode::full : CheckMode::sample});
            emit supplemented(job.number);
        }
    } catch (const Error& error) {
        why = error;
    }
    if (job.ended) job.ended(why);
    if (why && row) emit failed(*why);
}

void RunSession::onFailed(int start, const Error& error) {
    const RunQueue::Job* const job = queue_.find(start);
    if (!job) return;
    if (ruleOf(job->data).waits && worker_.givenUp()) {
        // It did not begin: it waits until there is a worker again.
        queue_.putBack();
    } else {
        fail(*queue_.end(start), error);
    }
    next();
}

void RunSession::fail(const JobData& job, const Error& error) {
    const JobKind kind = kindOf(job);
    drop(job, error);
    if (kind == JobKind::turns) return;
    if (kind == JobKind::preview) return emit previewFailed(error);
    if (const auto* const tuning = std::get_if<QueuedTuning>(&job)) tuning->changed(false);
    if (const auto* const run = std::get_if<QueuedRun>(&job)) {
        if (run->quiet) return;
        std::string where = nameOf(*run).toStdString();
        if (!error.where().empty()) where += ": " + error.where();
        return emit failed(Error(error.kind(), error.message(), where, error.hint(), error.details()));
    }
    const auto* const sweep = std::get_if<QueuedSweep>(&job);
    if (sweep && (error.kind() == ErrorKind::cancelled || worker_.givenUp()))
        queue_.take([](const RunQueue::Job& one) { return kindOf(one.data) == JobKind::sweep; });
    emit failed(error);
    if (sweep && !queue_.holds(JobKind::sweep)) sweep->changed(false);
}

void RunSession::onProgress(int start, double fraction, const QString& id) {
    const RunQueue::Job* const job = queue_.find(start);
    if (!job || kindOf(job->data) == JobKind::preview) return;
    const QString stage = stageOf(job->data, id == QLatin1String(build_stage) ? tr("Building kernels") : id);
    queue_.setProgress(fraction, stage);
    emit progress(fraction, stage);
}

void RunSession::showRun() {
    const QueuedRun* const job = queue_.running();
    if (!job) return;
    showsBuild_ = worker_.building();
    emit busyChanged(true, showsBuild_ ? tr("Building kernels")
                                       : tr("Running %1").arg(QString::fromStdString(job->request.variant)));
}

}  // namespace ks::ui
