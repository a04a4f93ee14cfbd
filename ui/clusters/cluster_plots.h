#pragma once

#include <QString>
#include <QVector>
#include <QWidget>
#include <memory>
#include <optional>
#include <vector>

#include "ui/base/jobs.h"
#include "ui/clusters/charge_cut.h"
#include "ui/clusters/core_clusters.h"
#include "ui/clusters/run_clusters.h"
#include "ui/plots/histogram_plot.h"

class QCheckBox;
class QComboBox;

namespace ks::ui::clusters {

enum class ClusterQuantity { size, widthX, widthY, charge };

/// The clusters of one run with its name in legends.
struct ClustersOfRun {
    QString name;
    const std::vector<ks::clusters::Cluster>* clusters;
    /// The same without a cut; null: the run has no cut.
    const std::vector<ks::clusters::Cluster>* uncut = nullptr;
};

double valueOf(const ks::clusters::Cluster& cluster, ClusterQuantity quantity);

/// Histograms of a quantity of the clusters of one layer, or of all: with integer bins for sizes and widths,
/// with logarithmic bins for charges. If a cut has removed some clusters, all of them are drawn in grey
/// behind the others.
QVector<HistogramSeries> clusterHistograms(const std::vector<ClustersOfRun>& runs, ClusterQuantity quantity,
                                           const ks::clusters::DetectorLayout& layout,
                                           std::optional<std::size_t> layer);

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
