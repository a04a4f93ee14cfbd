#pragma once

#include <QWidget>
#include <memory>

#include "core/base/error.h"
#include "ui/clusters/difference_model.h"
#include "ui/clusters/run_clusters.h"

class QLabel;

namespace ks::ui {
class FilteredTable;
class Jobs;
}  // namespace ks::ui

namespace ks::ui::clusters {

/// Compares the clusters of a newer run with those of an older one: the number of identical clusters, and a
/// table of the others.
class DifferencePanel : public QWidget {
    Q_OBJECT
  public:
    /// @param jobs must outlive it
    explicit DifferencePanel(Jobs& jobs, QWidget* parent = nullptr);
    ~DifferencePanel() override;

    /// Compares them in a job. Null: there are no two runs.
    void setRuns(std::shared_ptr<const RunClusters> older, std::shared_ptr<const RunClusters> newer);
    DifferenceModel& model() { return model_; }
    FilteredTable& table() { return *table_; }

  signals:
    /// An item of the model.
    void picked(int item);
    void failed(const ks::Error& error);

  private:
    void showFound(std::shared_ptr<const DifferenceOfRuns> found);

    Jobs& jobs_;
    std::shared_ptr<const RunClusters> older_, newer_;
    DifferenceModel model_;
    QLabel* text_;
    FilteredTable* table_;
};

}  // namespace ks::ui::clusters
