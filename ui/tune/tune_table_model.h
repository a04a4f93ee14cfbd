#pragma once

#include <string>
#include <vector>

#include "ui/base/ordered_table_model.h"
#include "ui/tune/configurations.h"

namespace ks::ui::tune {

/// One row per configuration: its values and their outcome. The columns are those of the axes, which are
/// fixed for the lifetime of the model.
class TuneTableModel : public OrderedTableModel {
    Q_OBJECT
  public:
    enum Column { NumberColumn, FirstValueColumn };
    /// After the values:
    enum Measured {
        RatioColumn,
        FinalColumn,
        TriedColumn,
        UsualColumn,
        ComparedColumn,
        OutcomeColumn,
        ReasonColumn,
        MeasuredCount
    };

    explicit TuneTableModel(const std::vector<DefineAxis>& axes, QObject* parent = nullptr);

    /// Of the same axes; their values may differ.
    void setConfigurations(SharedConfigurations all);
    const QStringList& axes() const { return axes_; }
    /// Number of a column after the values.
    int column(Measured which) const { return FirstValueColumn + static_cast<int>(names_.size()) + which; }

    double number(int item, int column) const override;
    QString text(int item, int column) const override;
    QVariant data(const QModelIndex& index, int role) const override;

  private:
    /// Of a column; below 0: not one of the measured ones.
    int measured(int at) const { return at - column(RatioColumn); }
    const Configuration& row(int item) const { return all_->rows[static_cast<std::size_t>(item)]; }
    QString value(int item, std::size_t axis) const;

    QStringList axes_;
    std::vector<std::string> names_;  ///< of the axes
    SharedConfigurations all_ = std::make_shared<const Configurations>();
};

}  // namespace ks::ui::tune
