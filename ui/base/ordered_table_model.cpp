#include "ui/base/ordered_table_model.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace ks::ui {

QString ColumnText::title() const {
    return *unit ? QStringLiteral("%1 (%2)").arg(QString::fromUtf8(name), QString::fromUtf8(unit))
                 : QString::fromUtf8(name);
}

void OrderedTableModel::resetItems(std::size_t items) {
    order_.resize(items);
    std::iota(order_.begin(), order_.end(), 0);
    arrange();
    rows_ = order_;
    place();
    emit itemsReset();
}

std::pair<double, double> OrderedTableModel::range(int item, int column) const {
    const double value = number(item, column);
    return {value, value};
}

void OrderedTableModel::setAccepted(const std::function<bool(int item)>& accepts) {
    beginResetModel();
    rows_.clear();
    for (const int item : order_)
        if (!accepts || accepts(item)) rows_.push_back(item);
    place();
    endResetModel();
}

void OrderedTableModel::arrange() {
    sortItems();
    const std::vector<int> group = groups();
    if (!group.empty())
        std::ranges::stable_sort(order_, {}, [&](int item) { return group[static_cast<std::size_t>(item)]; });
}

void OrderedTableModel::sortItems() {
    if (sortColumn_ < 0) {
        std::sort(order_.begin(), order_.end());
        return;
    }
    const bool up = sortOrder_ == Qt::AscendingOrder;
    std::vector<double> keys(order_.size());
    for (std::size_t i = 0; i < keys.size(); ++i) keys[i] = number(static_cast<int>(i), sortColumn_);
    const auto known = std::stable_partition(order_.begin(), order_.end(), [&](int item) {
        return !std::isnan(keys[static_cast<std::size_t>(item)]);
    });
    std::stable_sort(order_.begin(), known, [&](int a, int b) {
        const double first = keys[static_cast<std::size_t>(a)], second = keys[static_cast<std::size_t>(b)];
        return up ? first < second : second < first;
    });
}

void OrderedTableModel::place() {
    at_.assign(order_.size(), -1);
    for (std::size_t row = 0; row < rows_.size(); ++row)
        at_[static_cast<std::size_t>(rows_[row])] = static_cast<int>(row);
}

void OrderedTableModel::sort(int column, Qt::SortOrder order) {
    // A header may ask twice for one click.
    if (column >= columnCount() || (column == sortColumn_ && order == sortOrder_)) return;
    emit layoutAboutToBeChanged({}, VerticalSortHint);
    const QModelIndexList before = persistentIndexList();
    std::vector<int> held;
    for (const QModelIndex& index : before) held.push_back(itemAt(index.row()));
    sortColumn_ = column;
    sortOrder_ = order;
    const std::vector<std::int32_t> shown = at_;
    arrange();
    rows_.clear();
    for (const int item : order_)
        if (shown[static_cast<std::size_t>(item)] >= 0) rows_.push_back(item);
    place();
    QModelIndexList after;
    for (qsizetype i = 0; i < before.size(); ++i)
        after << index(rowOf(held[static_cast<std::size_t>(i)]), before[i].column());
    changePersistentIndexList(before, after);
    emit layoutChanged({}, VerticalSortHint);
}

int OrderedTableModel::rowOf(int item) const {
    return item < 0 || static_cast<std::size_t>(item) >= at_.size() ? -1
                                                                    : at_[static_cast<std::size_t>(item)];
}

int OrderedTableModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(rows_.size());
}

int OrderedTableModel::columnCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(columns_.size());
}

QVariant OrderedTableModel::data(const QModelIndex& index, int role) const {
    if (!index.isValid()) return {};
    const int item = itemAt(index.row());
    switch (role) {
        case Qt::DisplayRole:
            return text(item, index.column());
        case numberRole:
            return number(item, index.column());
        case Qt::TextAlignmentRole:
            return QVariant((isWords(index.column()) ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignVCenter);
        default:
            return {};
    }
}

QVariant OrderedTableModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal || section < 0 || section >= columnCount()) return {};
    const ColumnText& c = columnText(section);
    // The unit goes below the name, so that many columns fit side by side.
    if (role == Qt::DisplayRole)
        return gapBefore(section) + QString::fromUtf8(c.name) + QLatin1Char('\n') + gapBefore(section) +
               QString::fromUtf8(c.unit);
    if (role == Qt::ToolTipRole)
        return tr("%1\nIn filters: %2").arg(QString::fromUtf8(c.description), QString::fromUtf8(c.key));
    if (role == Qt::TextAlignmentRole)
        return QVariant((isWords(section) ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignVCenter);
    return {};
}

}  // namespace ks::ui
