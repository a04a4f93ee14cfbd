#include "ui/runs/run_queue.h"

#include <QColor>
#include <QFileInfo>
#include <QLocale>
#include <algorithm>
#include <cstddef>
#include <utility>

#include "ui/runs/request_files.h"

namespace ks::ui {
namespace {

QString stateOf(const QueuedRun& entry, bool isRunning) {
    if (!isRunning) return RunQueue::tr("waiting");
    return entry.fraction > 0 ? RunQueue::tr("running %1 %").arg(static_cast<int>(100 * entry.fraction))
                              : RunQueue::tr("running");
}

/// Name of the first file that a request reads, without its folder; empty: it reads none.
QString leafOf(const Request& request) {
    const QStringList files = filesOf(request);
    return files.isEmpty() ? QString() : QFileInfo(files.front()).fileName();
}

QString textOf(const QueuedRun& entry, bool isRunning, int column) {
    switch (column) {
        case RunQueue::NumberColumn:
            return QString::number(entry.number);
        case RunQueue::AnalysisColumn:
            return QString::fromStdString(entry.request.analysis);
        case RunQueue::VariantColumn:
            return QString::fromStdString(entry.request.variant);
        case RunQueue::DataColumn: {
            const QString leaf = leafOf(entry.request);
            return leaf.isEmpty() ? QStringLiteral("\u2013") : leaf;
        }
        case RunQueue::SinceColumn:
            return QLocale::system().toString(entry.since.time(), QStringLiteral("HH:mm:ss"));
        default:
            return stateOf(entry, isRunning);
    }
}

}  // namespace

QString nameOf(const QueuedRun& entry) {
    const QString variant = QString::fromStdString(entry.request.variant), leaf = leafOf(entry.request);
    return leaf.isEmpty() ? RunQueue::tr("Run %1 (%2)").arg(entry.number).arg(variant)
                          : RunQueue::tr("Run %1 (%2 on %3)").arg(entry.number).arg(variant, leaf);
}

bool RunQueue::accepts(JobKind kind) const {
    const Job* const now = underWay();
    return !ruleOf(kind).alone || !now || ruleOf(now->data).interrupted;
}

std::vector<JobData> RunQueue::add(JobData job) {
    std::vector<JobData> replaced;
    if (ruleOf(job).newestWins)
        replaced = take([&job](const Job& one) {
            return one.data.index() == job.index() && subjectOf(one.data) == subjectOf(job);
        });
    insert(std::move(job));
    return replaced;
}

std::optional<RunQueue::Turn> RunQueue::next(bool hasWorker) {
    const auto turn = std::ranges::find_if(
        jobs_, [hasWorker](const Job& one) { return hasWorker || !ruleOf(one.data).waits; });
    if (turn == jobs_.end()) return std::nullopt;
    Turn made{starts_ + 1};
    if (const Job* const now = underWay()) {
        const JobRule& rule = ruleOf(now->data);
        if (kindOf(turn->data) >= rule.kind || !rule.interrupted) return std::nullopt;
        const auto at = static_cast<std::size_t>(now - jobs_.data());  // behind the one that has its turn
        made.interrupted = rule.resumed ? now->data : remove(at);
        if (rule.resumed) setStart(at, std::nullopt);
    }
    setStart(static_cast<std::size_t>(turn - jobs_.begin()), ++starts_);
    return made;
}

const RunQueue::Job* RunQueue::find(int start) const {
    const auto job = std::ranges::find(jobs_, std::optional(start), &Job::start);
    return job == jobs_.end() ? nullptr : &*job;
}

std::optional<JobData> RunQueue::end(int start) {
    const Job* const job = find(start);
    if (!job) return std::nullopt;
    return remove(static_cast<std::size_t>(job - jobs_.data()));
}

void RunQueue::putBack() {
    if (const Job* const job = underWay())
        setStart(static_cast<std::size_t>(job - jobs_.data()), std::nullopt);
}

std::vector<JobData> RunQueue::take(const std::function<bool(const Job&)>& wanted) {
    std::vector<JobData> taken;
    for (std::size_t i = 0; i < jobs_.size();) {
        if (wanted(jobs_[i]))
            taken.push_back(remove(i));
        else
            ++i;
    }
    return taken;
}

const RunQueue::Job* RunQueue::underWay() const {
    const auto job = std::ranges::find_if(jobs_, [](const Job& one) { return one.start.has_value(); });
    return job == jobs_.end() ? nullptr : &*job;
}

bool RunQueue::holds(JobKind kind) const {
    return std::ranges::any_of(jobs_, [kind](const Job& one) { return kindOf(one.data) == kind; });
}

const QueuedRun* RunQueue::running() const {
    const Job* const job = underWay();
    return job ? std::get_if<QueuedRun>(&job->data) : nullptr;
}

const QueuedRun& RunQueue::run(int row) const {
    return std::get<QueuedRun>(jobs_.at(firstRun() + static_cast<std::size_t>(row)).data);
}

void RunQueue::setProgress(double fraction, const QString& stage) {
    if (!running()) return;
    auto& entry = std::get<QueuedRun>(jobs_[firstRun()].data);
    entry.fraction = fraction;
    entry.stage = stage;
    tellState(0);
}

int RunQueue::waiting() const {
    return rowCount() - (running() ? 1 : 0);
}

std::size_t RunQueue::firstRun() const {
    const auto first =
        std::ranges::find_if(jobs_, [](const Job& one) { return kindOf(one.data) >= JobKind::run; });
    return static_cast<std::size_t>(first - jobs_.begin());
}

void RunQueue::insert(JobData job) {
    const auto at =
        std::ranges::find_if(jobs_, [&job](const Job& one) { return kindOf(one.data) > kindOf(job); });
    auto* const run = std::get_if<QueuedRun>(&job);
    if (!run) {
        jobs_.insert(at, Job{std::move(job)});
        return;
    }
    if (!run->since.isValid()) run->since = QDateTime::currentDateTime();
    beginInsertRows({}, rowCount(), rowCount());
    jobs_.insert(at, Job{std::move(job)});
    endInsertRows();
    emit changed();
}

JobData RunQueue::remove(std::size_t at) {
    const bool isRun = kindOf(jobs_[at].data) == JobKind::run;
    const int row = static_cast<int>(at - firstRun());
    if (isRun) beginRemoveRows({}, row, row);
    JobData removed = std::move(jobs_[at].data);
    jobs_.erase(jobs_.begin() + static_cast<std::ptrdiff_t>(at));
    if (!isRun) return removed;
    endRemoveRows();
    emit changed();
    return removed;
}

void RunQueue::setStart(std::size_t at, std::optional<int> start) {
    jobs_[at].start = start;
    auto* const run = std::get_if<QueuedRun>(&jobs_[at].data);
    if (!run) return;
    run->fraction = 0;
    run->stage.clear();
    tellState(static_cast<int>(at - firstRun()));
    emit changed();
}

int RunQueue::rowCount(const QModelIndex& parent) const {
    if (parent.isValid()) return 0;
    return static_cast<int>(
        std::ranges::count_if(jobs_, [](const Job& one) { return kindOf(one.data) == JobKind::run; }));
}

int RunQueue::columnCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : ColumnCount;
}

void RunQueue::tellState(int row) {
    emit dataChanged(index(row, 0), index(row, ColumnCount - 1));
}

QVariant RunQueue::data(const QModelIndex& index, int role) const {
    if (!index.isValid()) return {};
    const QueuedRun& entry = run(index.row());
    const bool isRunning = running() == &entry;
    switch (role) {
        case Qt::DisplayRole:
            return textOf(entry, isRunning, index.column());
        case Qt::ToolTipRole:
            return entry.stage.isEmpty() ? nameOf(entry) : nameOf(entry) + QStringLiteral(": ") + entry.stage;
        case Qt::ForegroundRole:
            // Middle grey can be read on both palettes.
            return isRunning ? QVariant() : QVariant(QColor(0x80, 0x80, 0x80));
        default:
            return {};
    }
}

QVariant RunQueue::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal || role != Qt::DisplayRole) return {};
    switch (section) {
        case NumberColumn:
            return tr("#");
        case AnalysisColumn:
            return tr("Analysis");
        case VariantColumn:
            return tr("Variant");
        case DataColumn:
            return tr("Data");
        case SinceColumn:
            return tr("Asked at");
        default:
            return tr("State");
    }
}

}  // namespace ks::ui
