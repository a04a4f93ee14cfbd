#include "ui/runs/run_table_model.h"

#include <QColor>
#include <QFileInfo>
#include <algorithm>
#include <utility>

#include "core/io/files/data_name.h"
#include "ui/base/palette.h"
#include "ui/runs/same_inputs.h"

namespace ks::ui {

std::uint64_t computeNanoseconds(const Run& run) {
    const std::uint64_t kernels = total(run.timings, StageKind::kernel);
    return kernels > 0 ? kernels : total(run.timings, StageKind::host);
}

namespace {

bool isOf(const RunRow& row, const QString& analysis) {
    return analysis.isEmpty() || QString::fromStdString(row.run->request.analysis) == analysis;
}

/// Files that a run reads.
QStringList filesOf(const Run& run) {
    QStringList files;
    for (const auto& [role, input] : run.request.inputs) {
        if (input.values || input.name.empty()) continue;
        const QFileInfo file(QString::fromStdString(io::DataName::parse(input.name).file.string()));
        if (!file.suffix().isEmpty()) files << file.absoluteFilePath();  // not "rings:20,20,0,4,5"
    }
    return files;
}

QString durationText(std::uint64_t nanoseconds) {
    return nanoseconds == 0 ? QStringLiteral("\u2013") : formatDuration(static_cast<double>(nanoseconds));
}

}  // namespace

int RunTableModel::rowOf(int number) const {
    const auto at =
        std::find_if(rows_.begin(), rows_.end(), [&](const RunRow& r) { return r.number == number; });
    return at == rows_.end() ? -1 : static_cast<int>(at - rows_.begin());
}

const RunRow* RunTableModel::find(int number) const {
    const int row = rowOf(number);
    return row < 0 ? nullptr : &rows_[static_cast<std::size_t>(row)];
}

std::vector<RunRow> RunTableModel::ticked(const QString& analysis) const {
    std::vector<RunRow> some;
    std::copy_if(rows_.begin(), rows_.end(), std::back_inserter(some),
                 [&](const RunRow& r) { return r.ticked && isOf(r, analysis); });
    return some;
}

bool RunTableModel::isOfFile(const RunRow& row) const {
    return file_.isEmpty() || row.files.isEmpty() || row.files.contains(file_);
}

void RunTableModel::setFile(const QString& path) {
    const QString file = path.isEmpty() ? path : QFileInfo(path).absoluteFilePath();
    if (file == file_) return;
    file_ = file;
    if (rows_.empty()) return;
    emit dataChanged(index(0, 0), index(rowCount() - 1, ColumnCount - 1),
                     {Qt::DisplayRole, Qt::ForegroundRole, Qt::ToolTipRole});
}

void RunTableModel::setAnalysis(const QString& id) {
    if (id == analysis_) return;
    analysis_ = id;
    if (!rows_.empty())
        emit dataChanged(index(0, 0), index(rowCount() - 1, ColumnCount - 1),
                         {Qt::ForegroundRole, Qt::ToolTipRole});
    emit tickedChanged();
}

int RunTableModel::addRun(std::shared_ptr<const Run> run, bool alone, int number) {
    if (alone && !rows_.empty()) {
        for (RunRow& row : rows_)
            if (row.run->request.analysis == run->request.analysis) row.ticked = false;
        emit dataChanged(index(0, 0), index(rowCount() - 1, 0), {Qt::CheckStateRole});
    }
    beginInsertRows({}, 0, 0);
    QStringList files = filesOf(*run);
    if (number == 0) number = reserveNumber();
    rows_.insert(rows_.begin(), RunRow{number, std::move(run), true, false, std::move(files)});
    endInsertRows();
    // A new baseline changes the speed-up of the others.
    if (rowCount() > 1) emit dataChanged(index(1, SpeedUpColumn), index(rowCount() - 1, SpeedUpColumn));
    emit tickedChanged();
    return number;
}

void RunTableModel::removeRun(int number) {
    const int row = rowOf(number);
    if (row < 0) return;
    beginRemoveRows({}, row, row);
    rows_.erase(rows_.begin() + row);
    endRemoveRows();
    if (!rows_.empty()) emit dataChanged(index(0, SpeedUpColumn), index(rowCount() - 1, SpeedUpColumn));
    emit tickedChanged();
}

void RunTableModel::setTicked(int number, bool ticked) {
    const int row = rowOf(number);
    if (row >= 0) setData(index(row, NumberColumn), ticked ? Qt::Checked : Qt::Unchecked, Qt::CheckStateRole);
}

void RunTableModel::setChecking(int number, bool checking) {
    const int row = rowOf(number);
    if (row < 0) return;
    rows_[static_cast<std::size_t>(row)].checking = checking;
    emit dataChanged(index(row, VerdictColumn), index(row, VerdictColumn));
}

void RunTableModel::setVerdict(int number, const Verdict& verdict) {
    const int row = rowOf(number);
    if (row < 0) return;
    RunRow& entry = rows_[static_cast<std::size_t>(row)];
    auto made = std::make_shared<Run>(*entry.run);
    made->verdict = verdict;
    entry.run = std::move(made);
    entry.checking = false;
    emit dataChanged(index(row, ErrorColumn), index(row, VerdictColumn));
}

void RunTableModel::replaceRun(int number, std::shared_ptr<const Run> run) {
    const int row = rowOf(number);
    if (row < 0) return;
    rows_[static_cast<std::size_t>(row)].run = std::move(run);
    emit dataChanged(index(row, 0), index(row, ColumnCount - 1));
}

const RunRow* RunTableModel::yardstickOf(const Run& run) const {
    for (const RunRow& row : rows_)
        if (row.run->variant.baseline && sameInputs(row.run->request, run.request)) return &row;
    return nullptr;
}

std::optional<double> RunTableModel::speedUp(const Run& run) const {
    const std::uint64_t own = computeNanoseconds(run);
    const RunRow* yardstick = yardstickOf(run);
    if (own == 0 || !yardstick) return std::nullopt;
    return static_cast<double>(computeNanoseconds(*yardstick->run)) / static_cast<double>(own);
}

int RunTableModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(rows_.size());
}

int RunTableModel::columnCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : ColumnCount;
}

QString RunTableModel::text(const RunRow& row, int column) const {
    const Run& run = *row.run;
    const Verdict& verdict = run.verdict;
    const bool unchecked = verdict.state == Verdict::State::unchecked;
    switch (column) {
        case NumberColumn:
            return QString::number(row.number);
        case AnalysisColumn:
            return QString::fromStdString(run.request.analysis);
        case DataColumn: {
            if (row.files.isEmpty()) return QStringLiteral("\u2013");
            const QString leaf = QFileInfo(row.files.front()).fileName();
            return isOfFile(row) ? leaf : tr("of %1").arg(leaf);
        }
        case VariantColumn:
            return QString::fromStdString(run.variant.id);
        case DeviceColumn:
            return QString::fromStdString(run.device.title());
        case KernelColumn:
            return durationText(computeNanoseconds(run));
        case TotalColumn:
            return durationText(run.wall_nanoseconds);
        case SpeedUpColumn: {
            const auto factor = speedUp(run);
            if (!factor) return QStringLiteral("\u2013");
            return QString::number(*factor, 'g', *factor < 100 ? 3 : 4) + QStringLiteral(" \u00d7");
        }
        case ErrorColumn:
            return unchecked ? QStringLiteral("\u2013") : QString::number(verdict.worst_error, 'e', 1);
        default:
            break;
    }
    if (row.checking) return tr("checking");
    switch (verdict.state) {
        case Verdict::State::pass:
            return tr("pass");
        case Verdict::State::fail:
            return tr("fail");
        case Verdict::State::sampled:
            return tr("pass (%1 values)").arg(verdict.samples);
        case Verdict::State::unchecked:
            break;
    }
    return tr("unchecked");
}

QVariant RunTableModel::data(const QModelIndex& index, int role) const {
    if (!index.isValid()) return {};
    const RunRow& row = rows_[static_cast<std::size_t>(index.row())];
    const int column = index.column();
    const bool number = column >= KernelColumn && column <= ErrorColumn;
    switch (role) {
        case Qt::DisplayRole:
            return text(row, column);
        case Qt::CheckStateRole:
            return column == NumberColumn ? QVariant(row.ticked ? Qt::Checked : Qt::Unchecked) : QVariant();
        case Qt::TextAlignmentRole:
            return QVariant((number ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter);
        case Qt::ForegroundRole:
            return colour(row, column);
        case Qt::ToolTipRole:
            return tip(row, column);
        default:
            return {};
    }
}

QString RunTableModel::tip(const RunRow& row, int column) const {
    QStringList lines{ownTip(row, column)};
    for (const std::string& warning : row.run->result.warnings)
        lines << tr("Warning: %1").arg(QString::fromStdString(warning));
    return lines.join('\n');
}

QString RunTableModel::ownTip(const RunRow& row, int column) const {
    if (column == VerdictColumn || column == ErrorColumn) {
        const Verdict& verdict = row.run->verdict;
        const QString where = QString::fromStdString(verdict.where);
        const QString sentence = QString::fromStdString(verdict.text);
        return where.isEmpty() ? sentence : sentence + '\n' + tr("Worst: %1").arg(where);
    }
    if (column == DataColumn) {
        QStringList lines;
        for (const auto& [role, input] : row.run->request.inputs)
            lines << tr("%1: %2").arg(QString::fromStdString(role), input.name.empty()
                                                                        ? tr("drawn here")
                                                                        : QString::fromStdString(input.name));
        for (const auto& [id, value] : row.run->request.parameters)
            if (!is_absent(value))
                lines << QStringLiteral("%1 = %2").arg(QString::fromStdString(id),
                                                       QString::fromStdString(to_text(value)));
        if (!isOfFile(row)) lines.prepend(tr("Of another file than the open one"));
        return lines.join('\n');
    }
    if (column == VariantColumn) return QString::fromStdString(row.run->variant.description);
    if (column == KernelColumn)
        return tr("Time of the kernels, or of the host's stages where there are none");
    if (column == SpeedUpColumn) {
        const RunRow* yardstick = yardstickOf(*row.run);
        if (!yardstick) return tr("No yardstick was run on the same inputs with the same parameters");
        return tr("Compute time of run %1, %2, on the same inputs, divided by this run's")
            .arg(yardstick->number)
            .arg(QString::fromStdString(yardstick->run->variant.id));
    }
    if (!isOf(row, analysis_)) return tr("Shown on the page of its analysis");
    return text(row, column);
}

QVariant RunTableModel::colour(const RunRow& row, int column) const {
    const bool verdict = column == VerdictColumn || column == ErrorColumn;
    if (verdict && row.run->verdict.state == Verdict::State::fail) return QColor(0xd5, 0x2b, 0x1e);
    // Middle grey can be read on both palettes.
    return isOf(row, analysis_) && isOfFile(row) ? QVariant() : QVariant(QColor(0x80, 0x80, 0x80));
}

bool RunTableModel::setData(const QModelIndex& index, const QVariant& value, int role) {
    if (!index.isValid() || role != Qt::CheckStateRole || index.column() != NumberColumn) return false;
    RunRow& row = rows_[static_cast<std::size_t>(index.row())];
    const bool ticked = value.toInt() == Qt::Checked;
    if (row.ticked == ticked) return true;
    row.ticked = ticked;
    emit dataChanged(index, index, {Qt::CheckStateRole});
    emit tickedChanged();
    return true;
}

QVariant RunTableModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal || role != Qt::DisplayRole) return {};
    switch (section) {
        case NumberColumn:
            return tr("#");
        case AnalysisColumn:
            return tr("Analysis");
        case DataColumn:
            return tr("Data");
        case VariantColumn:
            return tr("Variant");
        case DeviceColumn:
            return tr("Device");
        case KernelColumn:
            return tr("Kernel");
        case TotalColumn:
            return tr("Total");
        case SpeedUpColumn:
            return tr("vs yardstick");
        case ErrorColumn:
            return tr("Max error");
        default:
            return tr("Verdict");
    }
}

Qt::ItemFlags RunTableModel::flags(const QModelIndex& index) const {
    Qt::ItemFlags flags = QAbstractTableModel::flags(index);
    if (index.column() == NumberColumn) flags |= Qt::ItemIsUserCheckable;
    return flags;
}

}  // namespace ks::ui
