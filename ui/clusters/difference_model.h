#pragma once

#include <memory>

#include "ui/base/ordered_table_model.h"
#include "ui/clusters/cluster_difference.h"

namespace ks::ui::clusters {

/// Clusters that differ between two runs, one row per group. An item is an index of DifferenceOfRuns::all.
class DifferenceModel : public OrderedTableModel {
    Q_OBJECT
  public:
    enum Column {
        KindColumn,
        EventColumn,
        ModuleColumn,
        LayerColumn,
        DigisColumn,
        CountAColumn,
        CountBColumn,
        LabelColumn,
        XColumn,
        YColumn,
        ColumnCount
    };
    explicit DifferenceModel(QObject* parent = nullptr) : OrderedTableModel(parent) {}

    /// Null: none. The runs must be those that were compared.
    void setDifference(std::shared_ptr<const DifferenceOfRuns> difference,
                       std::shared_ptr<const RunClusters> a, std::shared_ptr<const RunClusters> b);
    const std::shared_ptr<const DifferenceOfRuns>& difference() const { return difference_; }
    const ClusterDifference& at(int item) const { return difference_->all[static_cast<std::size_t>(item)]; }
    static QString kindText(DifferenceKind kind);

    double number(int item, int column) const override;
    QString text(int item, int column) const override;
    const ColumnText& columnText(int column) const override;
    bool isWords(int column) const override { return column == KindColumn || column == LayerColumn; }
    int columnCount(const QModelIndex& parent = {}) const override {
        return parent.isValid() ? 0 : ColumnCount;
    }

  private:
    std::shared_ptr<const DifferenceOfRuns> difference_;
    std::shared_ptr<const RunClusters> a_, b_;
};

}  // namespace ks::ui::clusters
