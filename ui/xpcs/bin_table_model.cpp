#include "ui/xpcs/bin_table_model.h"

#include <algorithm>
#include <cmath>

namespace ks::ui {
namespace {

QString binNumber(double value, char format, int digits) {
    return std::isfinite(value) ? QString::number(value, format, digits) : QStringLiteral("\u2013");
}

struct BinColumn {
    const char* title;
    QString (*text)(const BinRow& row);
};
constexpr BinColumn binColumns[BinTableModel::ColumnCount] = {
    {QT_TRANSLATE_NOOP("ks::ui::BinTableModel", "Bin"),
     [](const BinRow& row) {
         const QString label = QString::number(row.label);
         return row.name.isEmpty() ? label : label + QLatin1Char(' ') + row.name;
     }},
    {QT_TRANSLATE_NOOP("ks::ui::BinTableModel", "q (1/\u00c5)"),
     [](const BinRow& row) { return binNumber(row.q, 'g', 3); }},
    {QT_TRANSLATE_NOOP("ks::ui::BinTableModel", "\u03c6 (\u00b0)"),
     [](const BinRow& row) { return binNumber(row.phi, 'f', 0); }},
    {QT_TRANSLATE_NOOP("ks::ui::BinTableModel", "Pixels"),
     [](const BinRow& row) { return QString::number(row.pixels); }},
    {QT_TRANSLATE_NOOP("ks::ui::BinTableModel", "Counts"),
     [](const BinRow& row) { return binNumber(row.counts, 'g', 3); }},
    {QT_TRANSLATE_NOOP("ks::ui::BinTableModel", "On"), [](const BinRow&) { return QString(); }}};

}  // namespace

void BinTableModel::setBins(std::vector<BinRow> rows, bool keepSwitches) {
    if (keepSwitches) {
        for (BinRow& row : rows) {
            const auto at = static_cast<std::size_t>(row.label) - 1;  // labels count from 1 without gaps
            if (at >= rows_.size()) continue;
            row.on = rows_[at].on;
            if (row.name.isEmpty()) row.name = rows_[at].name;
        }
    }
    beginResetModel();
    rows_ = std::move(rows);
    endResetModel();
}

std::vector<int> BinTableModel::labelsOff() const {
    std::vector<int> labels;
    for (const BinRow& row : rows_)
        if (!row.on) labels.push_back(row.label);
    return labels;
}

void BinTableModel::setAll(bool on) {
    if (rows_.empty()) return;
    for (BinRow& row : rows_) row.on = on;
    emit dataChanged(index(0, OnColumn), index(rowCount() - 1, OnColumn), {Qt::CheckStateRole});
    emit switched();
}

void BinTableModel::setOff(const std::vector<int>& labels) {
    if (rows_.empty() || labels == labelsOff()) return;
    for (BinRow& row : rows_) row.on = std::ranges::find(labels, row.label) == labels.end();
    emit dataChanged(index(0, OnColumn), index(rowCount() - 1, OnColumn), {Qt::CheckStateRole});
    emit switched();
}

void BinTableModel::setCounts(const std::vector<double>& counts) {
    for (BinRow& row : rows_) {
        const auto bin = static_cast<std::size_t>(row.label) - 1;
        row.counts = bin < counts.size() ? counts[bin] : std::numeric_limits<double>::quiet_NaN();
    }
    if (!rows_.empty())
        emit dataChanged(index(0, CountsColumn), index(rowCount() - 1, CountsColumn), {Qt::DisplayRole});
}

int BinTableModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(rows_.size());
}

int BinTableModel::columnCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : ColumnCount;
}

QVariant BinTableModel::data(const QModelIndex& index, int role) const {
    if (!index.isValid()) return {};
    const BinRow& row = rows_[static_cast<std::size_t>(index.row())];
    if (role == Qt::EditRole && index.column() == LabelColumn) return row.name;
    if (role == Qt::DisplayRole) return binColumns[index.column()].text(row);
    if (role == Qt::DecorationRole && index.column() == LabelColumn) return row.colour;
    if (role == Qt::CheckStateRole && index.column() == OnColumn) return row.on ? Qt::Checked : Qt::Unchecked;
    if (role == Qt::TextAlignmentRole && index.column() != LabelColumn && index.column() != OnColumn)
        return QVariant(Qt::AlignRight | Qt::AlignVCenter);
    if (role == Qt::ToolTipRole)
        return row.pixels == 0 ? tr("Bin %1 has no pixels: its curve is empty").arg(row.label)
                               : tr("Bin %1, %2 pixels. Click for its two-time map, double-click to rename.")
                                     .arg(row.label)
                                     .arg(row.pixels);
    return {};
}

bool BinTableModel::setData(const QModelIndex& index, const QVariant& value, int role) {
    if (!index.isValid()) return false;
    if (role == Qt::EditRole && index.column() == LabelColumn) {
        rows_[static_cast<std::size_t>(index.row())].name = value.toString().trimmed();
        emit dataChanged(index, index, {Qt::DisplayRole, Qt::EditRole});
        return true;
    }
    if (role != Qt::CheckStateRole || index.column() != OnColumn) return false;
    rows_[static_cast<std::size_t>(index.row())].on = value.toInt() == Qt::Checked;
    emit dataChanged(index, index, {Qt::CheckStateRole});
    emit switched();
    return true;
}

QVariant BinTableModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal || role != Qt::DisplayRole) return {};
    return tr(binColumns[section].title);
}

Qt::ItemFlags BinTableModel::flags(const QModelIndex& index) const {
    Qt::ItemFlags flags = QAbstractTableModel::flags(index);
    if (index.column() == OnColumn) flags |= Qt::ItemIsUserCheckable;
    if (index.column() == LabelColumn) flags |= Qt::ItemIsEditable;
    return flags;
}

}  // namespace ks::ui
