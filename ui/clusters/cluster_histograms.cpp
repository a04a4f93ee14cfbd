#include "ui/clusters/cluster_histograms.h"

#include <QCoreApplication>
#include <algorithm>

#include "ui/plots/histogram_bins.h"

namespace ks::ui::clusters {
namespace {

using ks::clusters::Cluster;
using ks::clusters::DetectorLayout;

constexpr int perDecade = 20, wholeBins = 60;

QVector<double> valuesOf(const std::vector<Cluster>& clusters, ClusterQuantity quantity,
                         const DetectorLayout& layout, std::optional<std::size_t> layer) {
    QVector<double> values;
    for (const Cluster& cluster : clusters)
        if (!layer || layout.layer_of(cluster.module) == *layer) values << valueOf(cluster, quantity);
    return values;
}

}  // namespace

double valueOf(const Cluster& cluster, ClusterQuantity quantity) {
    switch (quantity) {
        case ClusterQuantity::size:
            return cluster.size;
        case ClusterQuantity::widthX:
            return cluster.width_x();
        case ClusterQuantity::widthY:
            return cluster.width_y();
        case ClusterQuantity::charge:
            break;
    }
    return static_cast<double>(cluster.charge);
}

QVector<HistogramSeries> clusterHistograms(const std::vector<ClustersOfRun>& runs, ClusterQuantity quantity,
                                           const DetectorLayout& layout, std::optional<std::size_t> layer) {
    // All clusters first: the kept ones are drawn above them.
    struct Part {
        const ClustersOfRun* run;
        bool kept;
        QVector<double> values;
    };
    std::vector<Part> parts;
    const bool cut =
        std::any_of(runs.begin(), runs.end(), [](const ClustersOfRun& run) { return run.uncut; });
    for (const bool kept : {false, true}) {
        if (!kept && !cut) continue;
        for (const ClustersOfRun& run : runs) {
            const auto* clusters = !kept && run.uncut ? run.uncut : run.clusters;
            parts.push_back({&run, kept, valuesOf(*clusters, quantity, layout, layer)});
        }
    }
    QVector<QVector<double>> all;
    for (const Part& part : parts) all << part.values;
    const QVector<double> edges =
        quantity == ClusterQuantity::charge ? logEdges(all, perDecade) : wholeEdges(all, wholeBins);
    QVector<HistogramSeries> series;
    if (edges.isEmpty()) return series;
    for (const Part& part : parts)
        series << HistogramSeries{part.kept ? QCoreApplication::translate("clusters", "kept")
                                            : QCoreApplication::translate("clusters", "all"),
                                  part.kept ? 1 : 0, runs.size() > 1 ? part.run->name : QString(), edges,
                                  binned(part.values, edges)};
    return series;
}

}  // namespace ks::ui::clusters
