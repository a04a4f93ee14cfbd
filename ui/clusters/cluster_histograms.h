#pragma once

#include <QString>
#include <QVector>
#include <optional>
#include <vector>

#include "ui/clusters/core_clusters.h"
#include "ui/plots/histogram_plot.h"

namespace ks::ui::clusters {

enum class ClusterQuantity { size, widthX, widthY, charge };

/// The clusters of one run with its name in legends.
struct ClustersOfRun {
    QString name;
    const std::vector<ks::clusters::Cluster>* clusters;
    /// The same without a cut; null: the run has none.
    const std::vector<ks::clusters::Cluster>* uncut = nullptr;
};

double valueOf(const ks::clusters::Cluster& cluster, ClusterQuantity quantity);

/// Histograms of a quantity of the clusters of one layer, or of all: of whole numbers for sizes and widths,
/// logarithmic for charges. Where a cut has left some out, all of them are grey and behind.
QVector<HistogramSeries> clusterHistograms(const std::vector<ClustersOfRun>& runs, ClusterQuantity quantity,
                                           const ks::clusters::DetectorLayout& layout,
                                           std::optional<std::size_t> layer);

}  // namespace ks::ui::clusters
