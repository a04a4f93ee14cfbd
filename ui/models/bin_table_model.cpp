#include "ui/models/bin_table_model.h"

#include <algorithm>
#include <cmath>

namespace ks::ui {

void BinTableModel::setBins(std::vector<BinRow> rows, bool keepSwitches) {
    if (keepSwitches) {
        const std::vector<int> off = labelsOff();
        for (BinRow& row : rows) row.on = std::find(off.begin(), off.end(), row.label) == off.end();
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

int BinTableModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(rows_.size());
}

int BinTableModel::columnCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : ColumnCount;
}

QVariant BinTableModel::data(const QModelIndex& index, int role) const {
    if (!index.isValid()) return {};
    const BinRow& row = rows_[static_cast<std::size_t>(index.row())];
    if (role == Qt::DisplayRole) {
        switch (index.column()) {
            case LabelColumn:
                return row.label;
            case QColumn:
                return std::isfinite(row.q) ? QString::number(row.q, 'g', 4) : QStringLiteral("\u2013");
            case PixelsColumn:
                return QString::number(row.pixels);
            default:
                return {};
        }
    }
    if (role == Qt::DecorationRole && index.column() == LabelColumn) return row.colour;
    if (role == Qt::CheckStateRole && index.column() == OnColumn) return row.on ? Qt::Checked : Qt::Unchecked;
    if (role == Qt::TextAlignmentRole && (index.column() == QColumn || index.column() == PixelsColumn))
        return QVariant(Qt::AlignRight | Qt::AlignVCenter);
    if (role == Qt::ToolTipRole)
        return row.pixels == 0
                   ? tr("Bin %1 holds no pixel: its curve is empty").arg(row.label)
                   : tr("Bin %1, %2 pixels; click for its two-time map").arg(row.label).arg(row.pixels);
    return {};
}

bool BinTableModel::setData(const QModelIndex& index, const QVariant& value, int role) {
    if (!index.isValid() || role != Qt::CheckStateRole || index.column() != OnColumn) return false;
    rows_[static_cast<std::size_t>(index.row())].on = value.toInt() == Qt::Checked;
    emit dataChanged(index, index, {Qt::CheckStateRole});
    emit switched();
    return true;
}

QVariant BinTableModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal || role != Qt::DisplayRole) return {};
    switch (section) {
        case LabelColumn:
            return tr("Bin");
        case QColumn:
            return tr("q (1/\u00c5)");
        case PixelsColumn:
            return tr("Pixels");
        default:
            return tr("On");
    }
}

Qt::ItemFlags BinTableModel::flags(const QModelIndex& index) const {
    Qt::ItemFlags flags = QAbstractTableModel::flags(index);
    if (index.column() == OnColumn) flags |= Qt::ItemIsUserCheckable;
    return flags;
}

}  // namespace ks::ui
