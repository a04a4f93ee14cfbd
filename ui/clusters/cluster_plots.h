#pragma once

#include <QWidget>
#include <memory>
#include <optional>
#include <vector>

#include "ui/base/jobs.h"
#include "ui/clusters/charge_cut.h"
#include "ui/clusters/cluster_histograms.h"
#include "ui/clusters/run_clusters.h"

class QCheckBox;
class QComboBox;

namespace ks::ui::clusters {

/// A run with its clusters as they are without a cut.
struct ShownRun {
    std::shared_ptr<const RunClusters> run;
    std::shared_ptr<const std::vector<ks::clusters::Cluster>> uncut;  ///< null: nothing is cut
    bool wrong = false;                                               ///< its newest check failed
};

/// Histograms of size, widths and charge of the clusters of runs, for one layer or all. The charge histogram
/// shows the cuts as lines that can be dragged.
class ClusterPlots : public QWidget {
    Q_OBJECT
  public:
    explicit ClusterPlots(Jobs& jobs, QWidget* parent = nullptr);
    ~ClusterPlots() override;

    /// Newest first. @param layout of their digis; null: no digis are open
    void setRuns(std::vector<ShownRun> runs, const ks::clusters::DetectorLayout* layout);
    /// The parameter as in the form; an invalid text shows no line.
    void setCut(const std::string& text);
    void setQuantity(ClusterQuantity quantity);
    ClusterQuantity quantity() const;
    /// nullopt: all.
    void setLayer(std::optional<std::size_t> layer);
    std::optional<std::size_t> layer() const;
    HistogramPlot& histogram() { return *plot_; }
    const HistogramPlot& histogram() const { return *plot_; }
    QSize sizeHint() const override { return {480, 220}; }

  signals:
    /// A line was dragged. @param text the parameter's new text
    void cutDragged(const QString& text, bool final);
    void pointHovered(const QString& text);

  private:
    void build();
    void fillLayers();
    void fill();
    void showCut();
    void drag(int mark, double charge, bool final);

    Jobs& jobs_;
    std::vector<ShownRun> runs_;
    const ks::clusters::DetectorLayout* layout_ = nullptr;
    std::optional<ChargeCut> cut_;
    std::vector<std::vector<std::size_t>> marked_;  ///< [mark], layers that it moves
    std::vector<std::size_t> held_;                 ///< layers of the mark being dragged
    QComboBox *quantity_, *layer_;
    QCheckBox* log_;
    HistogramPlot* plot_;
};

}  // namespace ks::ui::clusters
