#pragma once

#include <QSharedPointer>
#include <QString>
#include <QStringList>
#include <QVector>

#include "ui/plots/plot_text.h"

class QColor;
class QCPAxisTicker;
class QCustomPlot;
class QPalette;

namespace ks::ui {

/// A histogram. Bin i is [edges[i], edges[i + 1]).
struct HistogramSeries {
    QString label;                  ///< in the legend: "kept"
    int colour = 1;                 ///< index for binColour(); 0: grey
    QString run;                    ///< "run 7": each further run is dashed, dotted, ...; empty for one run
    QVector<double> edges, counts;  ///< edges ascending, one more than counts
    Undrawn undrawn = {};           ///< of its values, those that are in no bin because no axis can show them
};

/// A range of x that is highlighted behind the histograms.
struct HistogramBand {
    double from = 0, to = 0;
    QString label;  ///< in the hover text: "ice 3.67"
    bool operator==(const HistogramBand&) const = default;
};

/// A vertical line that the user may move.
struct HistogramMark {
    double x = 0;
    int colour = 1;  ///< index for binColour()
    QString label;   ///< next to the line
    bool operator==(const HistogramMark&) const = default;
};

/// What a histogram plot shows, and how it is drawn.
struct HistogramContent {
    QVector<HistogramSeries> series = {};
    QVector<HistogramBand> bands = {};
    QVector<HistogramMark> marks = {};
    QString bandName = {};  ///< of the bands in the legend; empty: none
    QString note = {};      ///< on what is shown, as a badge above the axes; followed by undrawn()
    QString xTitle = {}, xUnit = {}, counted = {}, emptyText = {};
    QSharedPointer<QCPAxisTicker> ticker = {};  ///< of the linear x axis; null: the default one
    bool logX = false, logY = false, legend = true;

    /// Replaces what the plot shows, apart from its ranges. @param printed the legend is next to the axes
    void draw(QCustomPlot& plot, const QPalette& palette, bool printed) const;
    /// There is no histogram, and a text says why.
    bool hints() const;
    /// How many values are in no bin, one line per run that has such values. Series with another label than
    /// the first are of the same values.
    QString undrawn() const;
    /// Sets the ranges that show everything, also what would lie under the legend in the plot's present size.
    void fit(QCustomPlot& plot) const;

  private:
    void addSeries(QCustomPlot& plot, const HistogramSeries& one, bool dark) const;
    void addBands(QCustomPlot& plot, const QPalette& palette) const;
    void addMarks(QCustomPlot& plot, const QPalette& palette) const;
    void addLegend(QCustomPlot& plot, const QPalette& palette, bool printed) const;
    void addRunSamples(QCustomPlot& plot, const QColor& line) const;
    void addEmptyText(QCustomPlot& plot, const QPalette& palette) const;
    /// The largest count of the bins that overlap this range.
    double highest(double from, double to) const;
    /// Puts the legend in the upper corner where the bins are lower.
    /// @param top of the y axis
    /// @return the same or higher, so that the legend covers no bin
    double clearOfLegend(QCustomPlot& plot, double top) const;
    QStringList runs() const;  ///< in order of first appearance
};

/// Common bin edges for a histogram of several runs: n + 1 ascending edges, empty without values. Each decade
/// is divided into `perDecade` equal parts of the logarithm; the edges cover all values > 0 that can be
/// drawn.
QVector<double> logEdges(const QVector<QVector<double>>& values, int perDecade);
/// Bins around whole numbers, k - 0.5 to k + 0.5. If that would be more than `maximum` bins, they grow by a
/// tenth from bin to bin and still end at halves.
QVector<double> wholeEdges(const QVector<QVector<double>>& values, int maximum);
/// `bins` equal parts from 0 to the largest value.
QVector<double> linearEdges(const QVector<QVector<double>>& values, int bins);
/// Values that no axis can show, apart from missing ones.
/// @param logarithmic with edges of logEdges(): nor those of 0 or less
Undrawn undrawnOf(const QVector<double>& values, bool logarithmic = false);
/// Number of values in each bin [edges[i], edges[i + 1]); the last bin includes its upper edge. NaN is
/// in no bin.
QVector<double> binned(const QVector<double>& values, const QVector<double>& edges);

}  // namespace ks::ui
