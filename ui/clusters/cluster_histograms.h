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

}  // namespace ks::ui::clusters
