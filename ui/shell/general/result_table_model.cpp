#include "ui/shell/general/result_table_model.h"

#include <cmath>
#include <utility>

#include "ui/base/palette.h"

namespace ks::ui {

ResultTableModel::ResultTableModel(std::vector<Column> columns, QObject* parent)
    : OrderedTableModel(parent), columns_(std::move(columns)) {
    for (const Column& column : columns_)
        texts_.push_back(
            {column.key.c_str(), column.title.c_str(), column.unit.c_str(), column.title.c_str()});
    beginResetModel();
    resetItems(columns_.empty() ? 0 : columns_.front().values.size());
    endResetModel();
}

int ResultTableModel::columnCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(columns_.size());
}

double ResultTableModel::number(int item, int column) const {
    return columns_[static_cast<std::size_t>(column)].values[static_cast<std::size_t>(item)];
}

QString ResultTableModel::text(int item, int column) const {
    if (isWords(column)) return columns_[static_cast<std::size_t>(column)].words[item];
    const double value = number(item, column);
    if (std::isnan(value)) return QStringLiteral("-");
    return columns_[static_cast<std::size_t>(column)].whole ? QString::number(value, 'f', 0)
                                                            : formatNumber(value);
}

bool ResultTableModel::isWords(int column) const {
    return !columns_[static_cast<std::size_t>(column)].words.isEmpty();
}

const ColumnText& ResultTableModel::columnText(int column) const {
    return texts_[static_cast<std::size_t>(column)];
}

}  // namespace ks::ui
