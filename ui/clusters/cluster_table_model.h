#pragma once

#include <memory>

#include "ui/base/ordered_table_model.h"
#include "ui/clusters/run_clusters.h"

namespace ks::ui::clusters {

/// The clusters of a run, one row each. An item is an index of the run's table of clusters.
class ClusterTableModel : public OrderedTableModel {
    Q_OBJECT
  public:
    enum Column {
        LabelColumn,
        EventColumn,
        ModuleColumn,
        LayerColumn,
        SizeColumn,
        ChargeColumn,
        XColumn,
        YColumn,
        WidthXColumn,
        WidthYColumn,
        XMinColumn,
        XMaxColumn,
        YMinColumn,
        YMaxColumn,
        ColumnCount
    };
    explicit ClusterTableModel(QObject* parent = nullptr);

    /// Null: none.
    void setRun(std::shared_ptr<const RunClusters> run);
    const std::shared_ptr<const RunClusters>& run() const { return run_; }

    double number(int cluster, int column) const override;
    QString text(int cluster, int column) const override;

  private:
    std::shared_ptr<const RunClusters> run_;
};

/// The modules of an event, one row each, with what a run found in them. An item is an index among the slots
/// of the event.
class ModuleTableModel : public OrderedTableModel {
    Q_OBJECT
  public:
    enum Column {
        ModuleColumn,
        LayerColumn,
        StartColumn,
        DigisColumn,
        ClustersColumn,
        ChargeColumn,
        ColumnCount
    };
    explicit ModuleTableModel(QObject* parent = nullptr);

    /// @param digis null: none @param run null: clusters are unknown
    void setEvent(std::shared_ptr<const DigiSet> digis, std::shared_ptr<const RunClusters> run,
                  std::size_t event);
    std::size_t slotOf(int item) const { return first_ + static_cast<std::size_t>(item); }
    /// -1 if the slot belongs to another event.
    int itemOf(std::size_t slot) const;

    double number(int item, int column) const override;
    QString text(int item, int column) const override;

  private:
    std::shared_ptr<const DigiSet> digis_;
    std::shared_ptr<const RunClusters> run_;
    std::size_t first_ = 0;
};

}  // namespace ks::ui::clusters
