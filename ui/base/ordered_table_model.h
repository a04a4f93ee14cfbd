#pragma once

#include <QAbstractTableModel>
#include <cstdint>
#include <functional>
#include <string>
#include <utility>
#include <vector>

namespace ks::ui {

/// Description of a column.
struct ColumnText {
    const char* key;          ///< name in filters and in CSV files: "sum"
    const char* name;         ///< in the header
    const char* unit;         ///< below the name; may be empty
    const char* description;  ///< tool tip of the header
    bool words = false;       ///< of words instead of numbers; they are left-aligned

    QString title() const;  ///< with the unit: "Sum (counts)"
};

/// A table of numbers that filters and sorts rows itself: a proxy would request one QVariant per comparison.
/// A row is a position in the table, an item is the object shown there; only sort() and setAccepted() change
/// the row of an item.
class OrderedTableModel : public QAbstractTableModel {
    Q_OBJECT
  public:
    /// For sorting and copying at full precision; NaN where unknown.
    static constexpr int numberRole = Qt::UserRole;

    /// @param columns texts of the columns, whose strings outlive the model
    explicit OrderedTableModel(std::vector<ColumnText> columns, QObject* parent = nullptr)
        : QAbstractTableModel(parent), columns_(std::move(columns)) {}

    /// NaN where unknown.
    virtual double number(int item, int column) const = 0;
    virtual QString text(int item, int column) const = 0;
    /// The smallest and the largest value of an item that comprises several: frames 7 to 9.
    virtual std::pair<double, double> range(int item, int column) const;
    /// Names of a column's fields in CSV files: one for number(), two for the ends of range(). None for a
    /// column that is not in use.
    virtual std::vector<std::string> csvKeys(int column) const { return {columnText(column).key}; }
    const ColumnText& columnText(int column) const { return columns_[static_cast<std::size_t>(column)]; }
    /// The group number of each item. Rows stay within their group, and groups in the order of these numbers,
    /// whatever the sorting. Empty: there are no groups.
    virtual std::vector<int> groups() const { return {}; }
    bool isWords(int column) const { return columnText(column).words; }

    /// Padding that keeps left-aligned text off the right-aligned number before it.
    QString gapBefore(int column) const {
        return column > 0 && isWords(column) ? QStringLiteral("\u2002") : QString();
    }

    int items() const { return static_cast<int>(order_.size()); }
    /// Shows the items for which `accepts` returns true; an empty function: all.
    void setAccepted(const std::function<bool(int item)>& accepts);
    /// Items in the order of the rows.
    const std::vector<int>& rows() const { return rows_; }
    int itemAt(int row) const { return rows_[static_cast<std::size_t>(row)]; }
    /// Row of an item, or -1 if it is filtered out.
    int rowOf(int item) const;

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    /// Text, numbers and alignment; models add their own roles.
    QVariant data(const QModelIndex& index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;
    /// Stable: equal values keep their order. Unknown values are last in either order. Column -1: the order
    /// of the items.
    void sort(int column, Qt::SortOrder order) override;

  signals:
    /// The items are other ones: anything remembered by item number is invalid.
    void itemsReset();

  protected:
    /// Call between beginResetModel() and endResetModel() when the values are new: all items are accepted,
    /// and the sort column stays.
    void resetItems(std::size_t items);
    void setColumns(std::vector<ColumnText> columns) { columns_ = std::move(columns); }

  private:
    void arrange();  ///< order_ by group and sort column
    void sortItems();
    void place();  ///< at_ from rows_

    std::vector<ColumnText> columns_;
    std::vector<int> order_;        ///< all items as sorted, so that filtered-out ones return to their places
    std::vector<int> rows_;         ///< item of a row
    std::vector<std::int32_t> at_;  ///< row of an item, or -1
    int sortColumn_ = -1;
    Qt::SortOrder sortOrder_ = Qt::AscendingOrder;
};

}  // namespace ks::ui
