#pragma once

#include <QStringList>
#include <string>
#include <vector>

#include "ui/base/ordered_table_model.h"

namespace ks::ui {

/// Columns of a result, as a table.
class ResultTableModel : public OrderedTableModel {
    Q_OBJECT
  public:
    struct Column {
        std::string key, title, unit;
        std::vector<double> values;  ///< [row]
        bool whole = false;          ///< of whole numbers
        QStringList words = {};      ///< shown instead of the values, by which rows are sorted
    };
    /// @param columns all of the same length
    explicit ResultTableModel(std::vector<Column> columns, QObject* parent = nullptr);

    int columnCount(const QModelIndex& parent = {}) const override;
    double number(int item, int column) const override;
    QString text(int item, int column) const override;
    const ColumnText& columnText(int column) const override;
    bool isWords(int column) const override;

  private:
    std::vector<Column> columns_;
    std::vector<ColumnText> texts_;
};

}  // namespace ks::ui
