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

/// What a newer run makes of the clusters of an older one: how many are the same, and a table of those that
/// are not.
class DifferencePanel : public QWidget {
    Q_OBJECT
  public:
    /// @param jobs outlives it
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
