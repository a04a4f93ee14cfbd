#include "ui/runs/run_queue.h"

#include <QColor>
#include <QFileInfo>
#include <QLocale>
#include <algorithm>
#include <utility>

#include "ui/runs/request_files.h"

namespace ks::ui {
namespace {

/// Name of the first file that a request reads, without its folder; empty: it reads none.
QString leafOf(const Request& request) {
    const QStringList files = filesOf(request);
    return files.isEmpty() ? QString() : QFileInfo(files.front()).fileName();
}

}  // namespace

QString nameOf(const QueuedRun& entry) {
    const QString variant = QString::fromStdString(entry.request.variant), leaf = leafOf(entry.request);
    return leaf.isEmpty() ? RunQueue::tr("Run %1 (%2)").arg(entry.number).arg(variant)
                          : RunQueue::tr("Run %1 (%2 on %3)").arg(entry.number).arg(variant, leaf);
}

void RunQueue::add(QueuedRun entry) {
    const int row = rowCount();
    beginInsertRows({}, row, row);
    entry.running = false;
    if (!entry.since.isValid()) entry.since = QDateTime::currentDateTime();
    entries_.push_back(std::move(entry));
    endInsertRows();
    emit changed();
}

const QueuedRun* RunQueue::running() const {
    return !entries_.empty() && entries_.front().running ? &entries_.front() : nullptr;
}

const QueuedRun* RunQueue::begin() {
    if (entries_.empty() || entries_.front().running) return nullptr;
    QueuedRun& entry = entries_.front();
    entry.running = true;
    entry.fraction = 0;
    entry.stage.clear();
    tellState(0);
    emit changed();
    return &entries_.front();
}

void RunQueue::putBack() {
    if (!running()) return;
    entries_.front().running = false;
    tellState(0);
    emit changed();
}

void RunQueue::setProgress(double fraction, const QString& stage) {
    if (!running()) return;
    entries_.front().fraction = fraction;
    entries_.front().stage = stage;
    tellState(0);
}

std::optional<QueuedRun> RunQueue::take(int number) {
    const auto at = std::ranges::find(entries_, number, &QueuedRun::number);
    if (at == entries_.end()) return std::nullopt;
    const int row = static_cast<int>(at - entries_.begin());
    beginRemoveRows({}, row, row);
    std::optional<QueuedRun> taken(std::move(*at));
    entries_.erase(at);
    endRemoveRows();
    emit changed();
    return taken;
}

void RunQueue::clearWaiting() {
    const int first = running() ? 1 : 0, last = rowCount() - 1;
    if (last < first) return;
    beginRemoveRows({}, first, last);
    entries_.erase(entries_.begin() + first, entries_.end());
    endRemoveRows();
    emit changed();
}

int RunQueue::waiting() const {
    return rowCount() - (running() ? 1 : 0);
}

int RunQueue::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(entries_.size());
}

int RunQueue::columnCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : ColumnCount;
}

void RunQueue::tellState(int row) {
    emit dataChanged(index(row, 0), index(row, ColumnCount - 1));
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
            const QString leaf = leafOf(entry.request);
            return leaf.isEmpty() ? QStringLiteral("\u2013") : leaf;
        }
        case SinceColumn:
            return QLocale::system().toString(entry.since.time(), QStringLiteral("HH:mm:ss"));
        default:
            break;
    }
    if (!entry.running) return tr("waiting");
    return entry.fraction > 0 ? tr("running %1 %").arg(static_cast<int>(100 * entry.fraction))
                              : tr("running");
}

QVariant RunQueue::data(const QModelIndex& index, int role) const {
    if (!index.isValid()) return {};
    const QueuedRun& entry = entries_[static_cast<std::size_t>(index.row())];
    switch (role) {
        case Qt::DisplayRole:
            return text(entry, index.column());
        case Qt::ToolTipRole:
            return entry.stage.isEmpty() ? nameOf(entry) : nameOf(entry) + QStringLiteral(": ") + entry.stage;
        case Qt::ForegroundRole:
            // Middle grey can be read on both palettes.
            return entry.running ? QVariant() : QVariant(QColor(0x80, 0x80, 0x80));
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
