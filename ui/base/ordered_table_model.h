#pragma once

#include <QAbstractTableModel>
#include <cstdint>
#include <functional>
#include <string>
#include <utility>
#include <vector>

namespace ks::ui {

/// What a column says about itself.
struct ColumnText {
    const char* key;          ///< name in filters and in CSV: "sum"
    const char* name;         ///< in the header
    const char* unit;         ///< below it; may be empty
    const char* description;  ///< tool tip of the header

    QString title() const;  ///< with the unit: "Sum (counts)"
};

/// A table of numbers that itself leaves out and orders rows: a proxy would ask for a QVariant a comparison.
/// A row is a place in the table, an item is what the row shows; only sort() and setAccepted() change which
/// row an item has.
class OrderedTableModel : public QAbstractTableModel {
    Q_OBJECT
  public:
    /// A double for sorting and copying at full precision; NaN where unknown.
    static constexpr int numberRole = Qt::UserRole;

    using QAbstractTableModel::QAbstractTableModel;

    /// NaN where unknown.
    virtual double number(int item, int column) const = 0;
    virtual QString text(int item, int column) const = 0;
    /// The least and the largest value of an item that stands for several: frames 7 to 9.
    virtual std::pair<double, double> range(int item, int column) const;
    /// Names of a column's fields in CSV: one for number(), or two for both ends of range(). None of a column
    /// that is not in use.
    virtual std::vector<std::string> csvKeys(int column) const { return {columnText(column).key}; }
    virtual const ColumnText& columnText(int column) const = 0;
    /// Of each item the number of its group: rows stay with their group, in the order of these numbers,
    /// whatever they are sorted by. Empty: there are no groups.
    virtual std::vector<int> groups() const { return {}; }
    /// A column of words is at the left of its cells.
    virtual bool isWords(int /*column*/) const { return false; }

    /// In front of shown words, which else touch the number that stands at the right of the column before.
    QString gapBefore(int column) const;

    int items() const { return static_cast<int>(order_.size()); }
    /// Rows are the items that `accepts` is true for; an empty function: all.
    void setAccepted(const std::function<bool(int item)>& accepts);
    /// Items in the order of the rows.
    const std::vector<int>& rows() const { return rows_; }
    int itemAt(int row) const { return rows_[static_cast<std::size_t>(row)]; }
    /// Row of an item, or -1 where it is left out.
    int rowOf(int item) const;

    int rowCount(const QModelIndex& parent = {}) const override;
    /// Words, numbers and alignment; a model adds what it has beside these.
    QVariant data(const QModelIndex& index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;
    /// Stable: equal values keep the order that they had. Unknown values are last in both orders. Column -1:
    /// the order of the items.
    void sort(int column, Qt::SortOrder order) override;

  signals:
    /// An item is another one now; what was known of items by their numbers holds no longer.
    void itemsReset();

  protected:
    /// Between beginResetModel() and endResetModel(), when the values are new: all are accepted; the column
    /// of the last sort stays.
    void resetItems(std::size_t items);

  private:
    void arrange();  ///< order_ by group and by the column of the last sort
    void sortItems();
    void place();  ///< at_ from rows_

    std::vector<int> order_;        ///< all items as sorted: those left out come back to their places
    std::vector<int> rows_;         ///< item of a row
    std::vector<std::int32_t> at_;  ///< row of an item, or -1
    int sortColumn_ = -1;
    Qt::SortOrder sortOrder_ = Qt::AscendingOrder;
};

}  // namespace ks::ui
