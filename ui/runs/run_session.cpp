#include "ui/runs/run_session.h"

#include <utility>

#include "core/run/build_stage.h"
#include "ui/runs/worker_client.h"

namespace ks::ui {

RunSession::RunSession(WorkerClient& worker, RunTableModel& runs, QObject* parent)
    : QObject(parent), worker_(worker), runs_(runs) {
    connect(&worker_, &WorkerClient::runFinished, this, &RunSession::onRun);
    connect(&worker_, &WorkerClient::verdictReady, this, &RunSession::onVerdict);
    connect(&worker_, &WorkerClient::ceilingsReady, this, [this](int job, const Ceilings& ceilings) {
        if (job != measureJob_) return;
        measureJob_ = 0;
        emit ceilingsReady(ceilings);
        next();
    });
    connect(&worker_, &WorkerClient::benchRow, this,
            [this](int job, std::size_t point, const ParameterSet& sizes, const BenchRow& row) {
                if (job == sweepJob_) emit sweepRow(point, sizes, row);
            });
    connect(&worker_, &WorkerClient::benchReady, this, [this](int job, const BenchReport& report) {
        if (job == turnsJob_) return onTurns(report);
        if (job != sweepJob_) return;
        sweepJob_ = 0;
        emit sweepReady(report);
        endSweep();
    });
    connect(&worker_, &WorkerClient::tunePart, this,
            [this](int job, std::size_t first, const TuneReport& part) {
                if (job == tuneJob_) emit tunePart(first, part);
            });
    connect(&worker_, &WorkerClient::tuneReady, this, [this](int job, const TuneReport& report) {
        if (job != tuneJob_) return;
        tuneJob_ = 0;
        emit tuneReady(report);
        emit tuningChanged(false);
        next();
    });
    connect(&worker_, &WorkerClient::jobFailed, this, &RunSession::onFailed);
    connect(&worker_, &WorkerClient::progress, this, &RunSession::onProgress);
    connect(&worker_, &WorkerClient::warmed, this, &RunSession::showRun);
    connect(&worker_, &WorkerClient::catalogueReady, this, &RunSession::next);
}

void RunSession::onProgress(int job, double fraction, const QString& id) {
    const QString stage = id == QLatin1String(build_stage) ? tr("Building kernels") : id;
    if (job == runJob_) {
        queue_.setProgress(fraction, stage);
        emit progress(fraction, stage);
    } else if (job == partJob_) {
        emit progress(fraction, part_ ? part_->what : stage);
    } else if (job == checkJob_) {
        emit progress(fraction, tr("check: %1").arg(stage));
    } else if (job == measureJob_) {
        emit progress(fraction, tr("ceilings: %1").arg(stage));
    } else if (job == sweepJob_) {
        emit progress(fraction, tr("benchmark: %1").arg(stage));
    } else if (job == turnsJob_) {
        emit progress(fraction, turns_ ? turns_->what : stage);
    } else if (job == tuneJob_) {
        emit progress(fraction, tr("tuning: %1").arg(stage));
    }
}

int RunSession::run(const Request& request, bool alone, std::optional<RunRow> repeats) {
    QueuedRun entry;
    entry.request = request;
    entry.alone = alone;
    entry.repeats = std::move(repeats);
    return enqueue(std::move(entry));
}

int RunSession::tryOut(const Request& request, bool ticked) {
    QueuedRun entry;
    entry.request = request;
    entry.alone = false;
    entry.ticked = ticked;
    entry.quiet = true;
    return enqueue(std::move(entry));
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

void RunSession::preview(const Request& request) {
    if (runJob_ != 0 || measured()) return;
    giveWay();
    previewJob_ = worker_.run(request);
}

void RunSession::supplement(Supplement wanted) {
    // The newer job makes the older one stale.
    partJob_ = 0;
    endPart(Error(ErrorKind::cancelled, "another one was asked for"));
    part_ = std::move(wanted);
    next();
}

void RunSession::endPart(const std::optional<Error>& why) {
    if (!part_) return;
    const Supplement ended = *std::exchange(part_, std::nullopt);
    if (ended.ended) ended.ended(why);
}

void RunSession::timeInTurn(TimedTurns wanted) {
    giveUpTurns();
    turns_ = std::move(wanted);
    next();
}

void RunSession::dropTurns() {
    giveUpTurns();
    next();
}

void RunSession::giveUpTurns() {
    if (std::exchange(turnsJob_, 0) != 0) worker_.cancel();
    endTurns(Error(ErrorKind::cancelled, "they were given up"));
}

void RunSession::endTurns(const Error& why) {
    if (!turns_) return;
    const TimedTurns ended = *std::exchange(turns_, std::nullopt);
    ended.failed(why);
}

void RunSession::onTurns(const BenchReport& report) {
    turnsJob_ = 0;
    const TimedTurns ended = *std::exchange(turns_, std::nullopt);
    ended.ready(report);
    next();
}

void RunSession::measureCeilings(const DeviceInfo& device) {
    if (runJob_ != 0 || measured()) return;
    giveWay();
    measureJob_ = worker_.measureCeilings(device);
    emit busyChanged(true, tr("Measuring what %1 can do at most").arg(QString::fromStdString(device.name)));
}

void RunSession::sweep(std::vector<BenchPlan> plans) {
    if (runJob_ != 0 || measured() || plans.empty()) return;
    plans_.assign(plans.begin(), plans.end());
    giveWay();
    startSweep();
}

void RunSession::startSweep() {
    const BenchPlan plan = plans_.front();
    plans_.pop_front();
    sweepJob_ = worker_.bench(plan);
    emit sweepChanged(true);
    emit busyChanged(true, tr("Timing variants of %1").arg(QString::fromStdString(plan.analysis)));
}

void RunSession::endSweep() {
    if (!plans_.empty()) return startSweep();
    emit sweepChanged(false);
    next();
}

void RunSession::tune(const TunePlan& plan, std::shared_ptr<const TuneReport> before) {
    if (runJob_ != 0 || measured()) return;
    giveWay();
    tuneJob_ = worker_.tune(plan, std::move(before));
    emit tuningChanged(true);
    emit busyChanged(true, tr("Tuning %1").arg(QString::fromStdString(plan.variant)));
}

void RunSession::warm(const Request& request) {
    if (worker_.currentJob() == 0 && !busy()) worker_.warm(request);
}

// The newer job makes the check, the supplement or the timing stale: it waits for its turn again.
void RunSession::giveWay() {
    partJob_ = 0;
    turnsJob_ = 0;
    if (checkJob_ == 0) return;
    checks_.push_front(checking_);
    runs_.setChecking(checking_.number, false);
    checkJob_ = 0;
}

void RunSession::checkFully(int number) {
    checks_.push_back({number, CheckMode::full});
    next();
}

bool RunSession::busy() const {
    return runJob_ != 0 || measured() || checkJob_ != 0 || partJob_ != 0 || !checks_.empty() || part_ ||
           turns_ || (queue_.waiting() > 0 && !worker_.givenUp());
}

void RunSession::cancel() {
    if (runJob_ == 0) {
        checks_.clear();
        // One that waits has no job that could tell of its end.
        if (partJob_ == 0) endPart(Error(ErrorKind::cancelled, "it was cancelled"));
        if (turnsJob_ == 0) endTurns(Error(ErrorKind::cancelled, "they were cancelled"));
    }
    worker_.cancel();
}

void RunSession::cancelRun(int number) {
    const QueuedRun* const running = queue_.running();
    if (running && running->number == number) {
        worker_.cancel();
    } else if (queue_.take(number)) {
        emit notRun(number, Error(ErrorKind::cancelled, "it was taken from the queue"));
        next();
    }
}

void RunSession::cancelAll() {
    std::vector<int> waiting;
    for (const QueuedRun& entry : queue_.entries())
        if (!entry.running) waiting.push_back(entry.number);
    queue_.clearWaiting();
    for (const int number : waiting)
        emit notRun(number, Error(ErrorKind::cancelled, "it was taken from the queue"));
    cancel();
    next();
}

void RunSession::onRun(int job, std::shared_ptr<const Run> run) {
    if (job == previewJob_) {
        previewJob_ = 0;
        emit previewReady(std::move(run));
        next();
        return;
    }
    if (job == partJob_) {
        partJob_ = 0;
        onPart(run);
        next();
        return;
    }
    if (job != runJob_) return;
    runJob_ = 0;
    const QueuedRun* const running = queue_.running();
    const std::optional<QueuedRun> entry = running ? queue_.take(running->number) : std::nullopt;
    const int number =
        entry && !entry->ticked
            ? runs_.bringBack(run, entry->number, false)
            : runs_.addRun(run, !entry || entry->alone, entry ? std::optional(entry->number) : std::nullopt);
    if (run->verdict.state == Verdict::State::unchecked) checks_.push_back({number, CheckMode::sample});
    emit runAdded(number, run);
    if (entry && entry->repeats) emit repeatReady(*entry->repeats, run);
    next();
}

void RunSession::onPart(const std::shared_ptr<const Run>& part) {
    if (!part_) return;
    const Supplement wanted = *part_;
    const RunRow* row = runs_.find(wanted.number);
    if (!row) return endPart(Error(ErrorKind::cancelled, "the run is no longer in the table"));
    try {
        // The verdict says nothing about what has come: the run is checked again, as it was.
        const Verdict::State before = row->run->verdict.state;
        runs_.replaceRun(wanted.number, wanted.join(*row->run, *part));
        std::erase_if(checks_, [&](const Check& one) { return one.number == wanted.number; });
        checks_.push_back(
            {wanted.number, before == Verdict::State::pass ? CheckMode::full : CheckMode::sample});
        emit supplemented(wanted.number);
        endPart(std::nullopt);
    } catch (const Error& error) {
        endPart(error);
        emit failed(error);
    }
}

void RunSession::onVerdict(int job, const Verdict& verdict) {
    if (job != checkJob_) return;
    checkJob_ = 0;
    runs_.setVerdict(checking_.number, verdict);
    emit verdictChanged(checking_.number);
    next();
}

void RunSession::onFailed(int job, const Error& error) {
    if (job == runJob_) {
        runFailed(error);
        return;
    }
    if (job == measureJob_) {
        measureJob_ = 0;
    } else if (job == sweepJob_) {
        sweepJob_ = 0;
        if (error.kind() == ErrorKind::cancelled || worker_.givenUp()) plans_.clear();
        emit failed(error);
        return endSweep();
    } else if (job == tuneJob_) {
        tuneJob_ = 0;
        emit tuningChanged(false);
    } else if (job == checkJob_) {
        checkJob_ = 0;
        runs_.setChecking(checking_.number, false);
    } else if (job == partJob_) {
        partJob_ = 0;
        endPart(error);
    } else if (job == turnsJob_) {
        turnsJob_ = 0;
        endTurns(error);
        return next();
    } else {
        if (job != previewJob_) return;
        previewJob_ = 0;
        emit previewFailed(error);
        next();
        return;
    }
    emit failed(error);
    next();
}

void RunSession::runFailed(const Error& error) {
    runJob_ = 0;
    const QueuedRun* const running = queue_.running();
    if (worker_.givenUp()) {
        // It did not begin: it waits until there is a worker again.
        queue_.putBack();
    } else if (const auto entry = running ? queue_.take(running->number) : std::nullopt) {
        emit notRun(entry->number, error);
        if (entry->quiet) return next();
        std::string where = nameOf(*entry).toStdString();
        if (!error.where().empty()) where += ": " + error.where();
        emit failed(Error(error.kind(), error.message(), where, error.hint(), error.details()));
    }
    next();
}

void RunSession::showRun() {
    const QueuedRun* const entry = queue_.running();
    if (runJob_ == 0 || !entry) return;
    emit busyChanged(true, worker_.warming()
                               ? tr("Building kernels")
                               : tr("Running %1").arg(QString::fromStdString(entry->request.variant)));
}

bool RunSession::startRun() {
    if (worker_.givenUp()) return false;
    const QueuedRun* const entry = queue_.begin();
    if (!entry) return false;
    giveWay();
    runJob_ = worker_.run(entry->request);
    showRun();
    return true;
}

bool RunSession::startPart() {
    if (!part_ || partJob_ != 0 || previewJob_ != 0) return false;
    if (worker_.givenUp()) {
        endPart(Error(ErrorKind::run, "there is no worker", {}, "Tools > Restart worker starts one"));
        return false;
    }
    if (!runs_.find(part_->number)) {
        endPart(Error(ErrorKind::cancelled, "the run is no longer in the table"));
        return false;
    }
    giveWay();
    partJob_ = worker_.run(part_->request);
    emit busyChanged(true, part_->what);
    return true;
}

bool RunSession::startCheck() {
    while (checkJob_ == 0 && partJob_ == 0 && previewJob_ == 0 && !checks_.empty()) {
        checking_ = checks_.front();
        checks_.pop_front();
        const RunRow* row = runs_.find(checking_.number);
        if (!row) continue;
        turnsJob_ = 0;  // they begin anew after it
        checkJob_ = worker_.check(row->run, checking_.mode);
        runs_.setChecking(checking_.number, true);
        emit busyChanged(true, tr("Checking run %1").arg(checking_.number));
        return true;
    }
    return false;
}

bool RunSession::startTurns() {
    if (!turns_ || turnsJob_ != 0 || checkJob_ != 0 || partJob_ != 0 || previewJob_ != 0) return false;
    turnsJob_ = worker_.bench(turns_->plan);
    emit busyChanged(true, turns_->what);
    return true;
}

void RunSession::next() {
    if (runJob_ != 0 || measured()) return;
    if (startRun() || startPart() || startCheck() || startTurns()) return;
    if (!busy()) emit busyChanged(false, {});
}

}  // namespace ks::ui
