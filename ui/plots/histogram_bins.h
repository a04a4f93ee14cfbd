#pragma once

#include <QVector>

namespace ks::ui {

/// Where bins of a histogram over several runs begin and end: n + 1 ascending edges, empty without values.
/// Whole powers of ten are cut into `perDecade` equal parts of the logarithm, until they hold all values > 0.
QVector<double> logEdges(const QVector<QVector<double>>& values, int perDecade);
/// Around whole numbers, k - 0.5 to k + 0.5; where that would be more than `most` bins, they grow by a tenth
/// from bin to bin and still end at halves.
QVector<double> wholeEdges(const QVector<QVector<double>>& values, int maximum);
/// From 0 to the largest value in `bins` equal parts.
QVector<double> linearEdges(const QVector<QVector<double>>& values, int bins);
/// How many values are in each bin [edges[i], edges[i + 1]); the last bin holds its upper edge, too. NaN is
/// in none.
QVector<double> binned(const QVector<double>& values, const QVector<double>& edges);

}  // namespace ks::ui
