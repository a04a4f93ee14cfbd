#pragma once

#include <QWidget>
#include <memory>

#include "core/base/error.h"
#include "ui/base/ordered_table_model.h"
#include "ui/clusters/cluster_difference.h"
#include "ui/clusters/run_clusters.h"

class QLabel;

namespace ks::ui {
class FilteredTable;
class Jobs;
}  // namespace ks::ui

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
    explicit DifferenceModel(QObject* parent = nullptr);

    /// Null: none. The runs must be those that were compared.
    void setDifference(std::shared_ptr<const DifferenceOfRuns> difference,
                       std::shared_ptr<const RunClusters> a, std::shared_ptr<const RunClusters> b);
    const std::shared_ptr<const DifferenceOfRuns>& difference() const { return difference_; }
    const ClusterDifference& at(int item) const { return difference_->all[static_cast<std::size_t>(item)]; }
    static QString kindText(DifferenceKind kind);

    double number(int item, int column) const override;
    QString text(int item, int column) const override;

  private:
    std::shared_ptr<const DifferenceOfRuns> difference_;
    std::shared_ptr<const RunClusters> a_, b_;
};

/// Compares the clusters of a newer run with those of an older one: the number of identical clusters, and a
/// table of the others.
class DifferencePanel : public QWidget {
    Q_OBJECT
  public:
    /// @param jobs must outlive it
    explicit DifferencePanel(Jobs& jobs, QWidget* parent = nullptr);
    ~DifferencePanel() override;

    /// A run, and whether its newest check failed.
    struct Compared {
        std::shared_ptr<const RunClusters> run;
        bool wrong = false;
    };
    /// Compares them in a job. Null: there are no two runs.
    void setRuns(Compared older, Compared newer);
    DifferenceModel& model() { return model_; }
    FilteredTable& table() { return *table_; }

  signals:
    /// An item of the model.
    void picked(int item);
    void failed(const ks::Error& error);

  private:
    void showFound(std::shared_ptr<const DifferenceOfRuns> found);

    Jobs& jobs_;
    static QString nameOf(const Compared& one);

    Compared older_, newer_;
    DifferenceModel model_;
    QLabel* text_;
    FilteredTable* table_;
};

}  // namespace ks::ui::clusters
