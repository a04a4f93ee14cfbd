#pragma once

#include <QVector>

namespace ks::ui {

/// Common bin edges for a histogram of several runs: n + 1 ascending edges, empty without values. Each decade
/// is divided into `perDecade` equal parts of the logarithm; the edges cover all values > 0.
QVector<double> logEdges(const QVector<QVector<double>>& values, int perDecade);
/// Bins around whole numbers, k - 0.5 to k + 0.5. If that would be more than `maximum` bins, they grow by a
/// tenth from bin to bin and still end at halves.
QVector<double> wholeEdges(const QVector<QVector<double>>& values, int maximum);
/// `bins` equal parts from 0 to the largest value.
QVector<double> linearEdges(const QVector<QVector<double>>& values, int bins);
/// Number of values in each bin [edges[i], edges[i + 1]); the last bin includes its upper edge. NaN is
/// in no bin.
QVector<double> binned(const QVector<double>& values, const QVector<double>& edges);

}  // namespace ks::ui
