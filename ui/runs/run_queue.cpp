#include "ui/runs/run_queue.h"

#include <QColor>
#include <QLocale>
#include <algorithm>
#include <string_view>

#include "core/io/files/distinct_name.h"
#include "core/run/build_stage.h"
#include "ui/runs/request_files.h"
#include "ui/runs/worker_client.h"

namespace ks::ui {
namespace {

Error givenUp(const char* why) {
    return Error(ErrorKind::cancelled, why);
}

/// A stage of a job, as the status bar shows it.
QString stageOf(const JobData& job, const QString& stage) {
    if (const auto* const supplement = std::get_if<Supplement>(&job)) return supplement->what;
    if (const AskedJob* const asked = askedOf(job))
        return asked->stages.isEmpty() ? asked->what : asked->stages.arg(stage);
    if (const auto* const check = std::get_if<QueuedCheck>(&job))
        return stage == QLatin1String("check")
                   ? RunQueue::tr("checking run %1").arg(check->number)
                   : RunQueue::tr("checking run %1: %2").arg(check->number).arg(stage);
    return stage;
}

template <class Data>
bool is(const JobOrder::Job& job) {
    return std::holds_alternative<Data>(job.data);
}

}  // namespace

RunQueue::RunQueue(WorkerClient& worker, RunTableModel& runs, QObject* parent)
    : QAbstractTableModel(parent), worker_(worker), runs_(runs) {
    connect(&worker_, &WorkerClient::catalogueReady, this, &RunQueue::next);
    connect(&worker_, &WorkerClient::jobBegins, this, [this] {
        if (showsBuild_) showRun();
    });
}

int RunQueue::run(const Request& request, bool alone, std::optional<RunRow> repeats, RepeatSet set) {
    return enqueue(
        {.request = request, .alone = alone, .repeats = std::move(repeats), .set = std::move(set)});
}

int RunQueue::tryOut(const Request& request, bool ticked) {
    return enqueue({.request = request, .alone = false, .ticked = ticked, .quiet = true});
}

int RunQueue::enqueue(QueuedRun entry) {
    entry.number = runs_.reserveNumber();
    entry.since = QDateTime::currentDateTime();
    const int number = entry.number;
    if (worker_.givenUp())
        emit failed(Error(ErrorKind::run,
                          (nameOf(entry) + tr(" cannot start: no worker is running")).toStdString(), {},
                          "start one with Tools > Restart worker"));
    order_.add(std::move(entry));
    showRows();
    next();
    return number;
}

void RunQueue::add(std::vector<JobData> jobs) {
    if (jobs.empty() || !order_.accepts(jobs.front().index())) return;
    for (JobData& job : jobs)
        for (const JobData& replaced : order_.add(std::move(job)))
            drop(replaced, givenUp("a newer request took its place"));
    next();
}

void RunQueue::dropTurns() {
    const JobOrder::Job* const now = order_.underWay();
    if (now && is<TimedTurns>(*now)) worker_.cancel();
    dropAll(is<TimedTurns>, "the timing was cancelled");
    next();
}

bool RunQueue::measuringCeilings() const {
    return std::ranges::any_of(order_.all(), [](const JobOrder::Job& job) {
        return is<QueuedMeasurement>(job) &&
               askedOf(job.data)->job.kind == std::string_view(wire::CeilingsJob::name);
    });
}

bool RunQueue::busy() const {
    return std::ranges::any_of(order_.all(), [this](const JobOrder::Job& job) {
        const JobRule& rule = ruleOf(job.data);
        return !rule.silent && (job.start || !rule.waits || !worker_.givenUp());
    });
}

void RunQueue::cancel() {
    if (!running())
        dropAll(
            [](const JobOrder::Job& job) {
                return !job.start && ruleOf(job.data).resumed && (job.latest > 0 || !is<QueuedCheck>(job));
            },
            "it was cancelled");
    worker_.cancel();
}

void RunQueue::cancelRun(int number) {
    if (running() && running()->number == number) return worker_.cancel();
    dropAll(
        [number](const JobOrder::Job& job) {
            const auto* const run = std::get_if<QueuedRun>(&job.data);
            return run && run->number == number;
        },
        "it was removed from the queue");
    next();
}

void RunQueue::cancelAll() {
    const bool runs = running() != nullptr;
    dropAll(
        [runs](const JobOrder::Job& job) {
            return !job.start && (is<QueuedRun>(job) || (!runs && ruleOf(job.data).resumed));
        },
        "it was removed from the queue");
    cancel();
    next();
}

void RunQueue::dropAll(const std::function<bool(const JobOrder::Job&)>& wanted, const char* why) {
    const std::vector<JobData> taken = order_.take(wanted);
    showRows();
    for (const JobData& job : taken) drop(job, givenUp(why));
}

void RunQueue::drop(const JobData& job, const Error& why) {
    if (const auto* const run = std::get_if<QueuedRun>(&job)) emit notRun(run->number, why);
    if (const auto* const check = std::get_if<QueuedCheck>(&job)) runs_.setChecking(check->number, false);
    const auto* const supplement = std::get_if<Supplement>(&job);
    if (supplement && supplement->ended) supplement->ended(why);
    const AskedJob* const asked = askedOf(job);
    if (asked && asked->job.receiver && asked->job.failed) asked->job.failed(why);
}

void RunQueue::next() {
    while (const std::optional<JobOrder::Turn> turn = order_.next(!worker_.givenUp())) {
        const JobData job = order_.find(turn->start)->data;
        showRows();
        if (turn->interrupted) {
            if (const auto* const check = std::get_if<QueuedCheck>(&*turn->interrupted))
                runs_.setChecking(check->number, false);
            if (std::holds_alternative<QueuedPreview>(*turn->interrupted))
                emit previewFailed(givenUp("a newer run took its place"));
        }
        if (std::visit([&](const auto& one) { return begin(turn->start, one); }, job)) return;
        order_.end(turn->start);
    }
    if (!busy()) emit busyChanged(false, {});
}

void RunQueue::ask(int start, WorkerJob job) {
    const QPointer<const QObject> receiver = std::exchange(job.receiver, this);
    job.answer = [this, start, receiver, read = std::move(job.answer)](const wire::Message& message) {
        return [this, start, receiver, handOver = read(message)](const Printed& printed) {
            const std::optional<JobData> ended = order_.end(start);
            if (!ended) return;
            showRows();
            if (receiver) handOver(printed);
            settle(*ended);
            next();
        };
    };
    job.failed = [this, start](const Error& error) { onFailed(start, error); };
    job.progress = [this, start, receiver, report = std::move(job.progress)](double fraction,
                                                                             const QString& stage) {
        if (report && receiver && order_.find(start)) report(fraction, stage);
        onProgress(start, fraction, stage);
    };
    if (job.part)
        job.part = [this, start, receiver, take = std::move(job.part)](const wire::Message& part) {
            if (receiver && order_.find(start)) take(part);
        };
    worker_.ask(std::move(job));
}

bool RunQueue::begin(int start, const AskedJob& job) {
    if (!job.job.receiver) return false;
    WorkerJob asked = job.job;
    if (asked.failed) asked.name = job.what;
    ask(start, std::move(asked));
    if (job.changed) job.changed(true);
    if (!job.what.isEmpty()) emit busyChanged(true, job.what);
    return true;
}

void RunQueue::settle(const JobData& job) {
    const AskedJob* const asked = askedOf(job);
    if (asked && asked->changed && !order_.holds(job.index())) asked->changed(false);
}

bool RunQueue::begin(int start, const QueuedRun& job) {
    const auto take = [this, job](const auto& run) { takeRun(job, run); };
    WorkerJob asked = job.set.names.empty() ? workerJob<wire::RunJob>(this, {job.request}, {take})
                                            : workerJob<wire::RepeatsJob>(
                                                  this, {job.request, job.set.names, job.set.chosen}, {take});
    asked.name = nameOf(job);
    ask(start, std::move(asked));
    showRun();
    return true;
}

bool RunQueue::begin(int start, const QueuedPreview& job) {
    Request request = job.request;
    request.unasked = true;
    WorkerJob asked = workerJob<wire::RunJob>(this, {std::move(request)},
                                              {[this](const auto& run) { emit previewReady(run); }});
    asked.name = tr("Live preview (%1)").arg(QString::fromStdString(job.request.variant));
    ask(start, std::move(asked));
    return true;
}

bool RunQueue::begin(int start, const Supplement& job) {
    std::optional<Error> why;
    if (worker_.givenUp())
        why = Error(ErrorKind::run, "no worker is running", {}, "start one with Tools > Restart worker");
    else if (!runs_.find(job.number))
        why = givenUp("the run is no longer in the table");
    if (why) {
        drop(job, *why);
        return false;
    }
    WorkerJob asked =
        workerJob<wire::RunJob>(this, {job.request}, {[this, job](const auto& part) { join(job, *part); }});
    asked.name = job.what;
    ask(start, std::move(asked));
    emit busyChanged(true, job.what);
    return true;
}

bool RunQueue::begin(int start, const QueuedCheck& job) {
    const RunRow* const row = runs_.find(job.number);
    if (!row) return false;
    const auto done = [this, number = job.number](const auto& verdict) {
        runs_.setVerdict(number, *verdict);
        emit verdictChanged(number);
    };
    WorkerJob asked = workerJob<wire::CheckJob>(this, {{row->run}, job.mode}, {done});
    asked.name = tr("Checking run %1").arg(job.number);
    ask(start, std::move(asked));
    runs_.setChecking(job.number, true);
    emit busyChanged(true, tr("Checking run %1").arg(job.number));
    return true;
}

void RunQueue::takeRun(const QueuedRun& job, const std::shared_ptr<const Run>& run) {
    const int number =
        job.ticked ? runs_.addRun(run, job.alone, job.number) : runs_.bringBack(run, job.number, false);
    if (run->verdict.state == Verdict::State::unchecked) order_.add(QueuedCheck{number, CheckMode::sample});
    emit runAdded(number, run);
    if (job.repeats) emit repeatReady(*job.repeats, run);
}

void RunQueue::join(const Supplement& job, const Run& part) {
    std::optional<Error> why;
    const RunRow* const row = runs_.find(job.number);
    try {
        if (!row) {
            why = givenUp("the run is no longer in the table");
        } else {
            // The verdict is not of the new results: the run is checked again, as it was.
            const bool fully = row->run->verdict.state == Verdict::State::pass;
            runs_.replaceRun(job.number, job.join(*row->run, part));
            order_.add(QueuedCheck{job.number, fully ? CheckMode::full : CheckMode::sample});
            emit supplemented(job.number);
        }
    } catch (const Error& error) {
        why = error;
    }
    if (job.ended) job.ended(why);
    if (why && row) emit failed(*why);
}

void RunQueue::onFailed(int start, const Error& error) {
    const JobOrder::Job* const job = order_.find(start);
    if (!job) return;
    if (ruleOf(job->data).waits && worker_.givenUp()) {
        // It did not begin: it waits until there is a worker again.
        order_.putBack();
        showRows();
    } else {
        const JobData ended = *order_.end(start);
        showRows();
        fail(ended, error);
    }
    next();
}

void RunQueue::fail(const JobData& job, const Error& error) {
    drop(job, error);
    const bool isMeasurement = std::holds_alternative<QueuedMeasurement>(job);
    if (askedOf(job) && !isMeasurement) return;
    if (std::holds_alternative<QueuedPreview>(job)) return emit previewFailed(error);
    if (const auto* const run = std::get_if<QueuedRun>(&job)) {
        if (run->quiet) return;
        std::string where = nameOf(*run).toStdString();
        if (!error.where().empty()) where += ": " + error.where();
        return emit failed(Error(error.kind(), error.message(), where, error.hint(), error.details()),
                           run->request.analysis);
    }
    if (isMeasurement && (error.kind() == ErrorKind::cancelled || worker_.givenUp()))
        order_.take(is<QueuedMeasurement>);
    emit failed(error);
    settle(job);
}

void RunQueue::onProgress(int start, double fraction, const QString& id) {
    const JobOrder::Job* const job = order_.find(start);
    if (!job || ruleOf(job->data).silent) return;
    const QString stage = stageOf(job->data, id == QLatin1String(build_stage) ? tr("Building kernels") : id);
    if (running()) {
        fraction_ = fraction;
        stage_ = stage;
        emit dataChanged(index(0, 0), index(0, ColumnCount - 1));
    }
    emit progress(fraction, stage);
}

void RunQueue::showRun() {
    const QueuedRun* const job = running();
    if (!job) return;
    showsBuild_ = worker_.building();
    emit busyChanged(true, showsBuild_ ? tr("Building kernels")
                                       : tr("Running %1").arg(QString::fromStdString(job->request.variant)));
}

const QueuedRun* RunQueue::running() const {
    const JobOrder::Job* const job = order_.underWay();
    return job ? std::get_if<QueuedRun>(&job->data) : nullptr;
}

void RunQueue::showRows() {
    std::vector<QueuedRun> now;
    for (const JobOrder::Job& job : order_.all())
        if (const auto* const run = std::get_if<QueuedRun>(&job.data)) now.push_back(*run);
    const std::optional<int> runs = running() ? std::optional(running()->number) : std::nullopt;
    const std::size_t before = rows_.size();
    for (int row = rowCount() - 1; row >= 0; --row) {
        if (std::ranges::count(now, entry(row).number, &QueuedRun::number) > 0) continue;
        beginRemoveRows({}, row, row);
        rows_.erase(rows_.begin() + row);
        endRemoveRows();
    }
    const bool isSame = rows_.size() == before && now.size() == before && runs == running_;
    if (isSame) return;
    if (now.size() > rows_.size()) {
        beginInsertRows({}, rowCount(), static_cast<int>(now.size()) - 1);
        rows_ = std::move(now);
        endInsertRows();
    }
    if (std::exchange(running_, runs) != runs) {
        fraction_ = 0;
        stage_.clear();
        if (!rows_.empty()) emit dataChanged(index(0, 0), index(0, ColumnCount - 1));
    }
    emit changed();
}

int RunQueue::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(rows_.size());
}

int RunQueue::columnCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : ColumnCount;
}

QString RunQueue::dataOf(const QueuedRun& entry) const {
    const QStringList files = filesOf(entry.request);
    if (files.isEmpty()) return {};
    std::vector<std::string> others = runs_.dataFiles();
    for (const QueuedRun& other : rows_)
        for (const QString& first : filesOf(other.request).mid(0, 1)) others.push_back(first.toStdString());
    const QString name = QString::fromStdString(io::distinct_name(files.front().toStdString(), others));
    return entry.set.names.empty() ? name : tr("%1 and %2 more").arg(name).arg(entry.set.names.size() - 1);
}

QString RunQueue::nameOf(const QueuedRun& entry) const {
    const QString variant = QString::fromStdString(entry.request.variant), data = dataOf(entry);
    return data.isEmpty() ? tr("Run %1 (%2)").arg(entry.number).arg(variant)
                          : tr("Run %1 (%2 on %3)").arg(entry.number).arg(variant, data);
}

QString RunQueue::text(const QueuedRun& entry, int column) const {
    switch (column) {
        case NumberColumn:
            return QString::number(entry.number);
        case AnalysisColumn:
            return QString::fromStdString(entry.request.analysis);
        case VariantColumn:
            return QString::fromStdString(entry.request.variant);
        case DataColumn: {
            const QString name = dataOf(entry);
            return name.isEmpty() ? QStringLiteral("\u2013") : name;
        }
        case SinceColumn:
            return QLocale::system().toString(entry.since.time(), QStringLiteral("HH:mm:ss"));
        default:
            break;
    }
    if (running_ != entry.number) return tr("waiting");
    return fraction_ > 0 ? tr("running %1 %").arg(static_cast<int>(100 * fraction_)) : tr("running");
}

QVariant RunQueue::data(const QModelIndex& index, int role) const {
    if (!index.isValid()) return {};
    const QueuedRun& shown = entry(index.row());
    const bool isRunning = running_ == shown.number;
    switch (role) {
        case Qt::DisplayRole:
            return text(shown, index.column());
        case Qt::ToolTipRole:
            return isRunning && !stage_.isEmpty() ? nameOf(shown) + QStringLiteral(": ") + stage_
                                                  : nameOf(shown);
        case Qt::ForegroundRole:
            // Middle grey can be read on both palettes.
            return isRunning ? QVariant() : QVariant(QColor(0x80, 0x80, 0x80));
        default:
            return {};
    }
}

QVariant RunQueue::headerData(int section, Qt::Orientation orientation, int role) const {
    constexpr const char* titles[ColumnCount] = {QT_TR_NOOP("#"),         QT_TR_NOOP("Analysis"),
                                                 QT_TR_NOOP("Variant"),   QT_TR_NOOP("Data"),
                                                 QT_TR_NOOP("Requested"), QT_TR_NOOP("State")};
    if (orientation != Qt::Horizontal || role != Qt::DisplayRole) return {};
    return section >= 0 && section < ColumnCount ? QVariant(tr(titles[section])) : QVariant();
}

}  // namespace ks::ui
