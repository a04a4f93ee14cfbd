#pragma once

#include <QVector>
#include <cstddef>
#include <optional>
#include <vector>

#include "core/spots/spot.h"
#include "ui/models/run_table_model.h"
#include "ui/plots/histogram_plot.h"

namespace ks::ui::spots {

/// What the plots take from a run.
struct RunSpots {
    QString name;  ///< "run 7"
    std::vector<ks::spots::Spot> spots;
    QVector<double> frame, signal, count, sum, resolution;  ///< a value a frame; NaN: missing or unknown
};
/// Nothing where the run has no whole table of spots and frames.
std::optional<RunSpots> runSpots(const RunRow& row);

/// Where bins of a histogram over several runs begin and end: n + 1 ascending edges, empty without values.
/// Whole powers of ten are cut into `perDecade` equal parts of the logarithm, until they hold all values > 0.
QVector<double> logEdges(const QVector<QVector<double>>& values, int perDecade);
/// Around whole numbers, k - 0.5 to k + 0.5; where that would be more than `most` bins, they grow by a tenth
/// from bin to bin and still end at halves.
QVector<double> wholeEdges(const QVector<QVector<double>>& values, int most);
/// From 0 to the largest value in `bins` equal parts.
QVector<double> linearEdges(const QVector<QVector<double>>& values, int bins);
/// How many values are in each bin [edges[i], edges[i + 1]); the last bin holds its upper edge, too. NaN is
/// in none.
QVector<double> binned(const QVector<double>& values, const QVector<double>& edges);

}  // namespace ks::ui::spots
