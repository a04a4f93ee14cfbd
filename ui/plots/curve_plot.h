#pragma once

#include <optional>

#include <QColor>
#include <QSet>
#include <QString>
#include <QVector>
#include <QWidget>
#include <vector>

#include "ui/plots/export_plot.h"

class QAction;
class QListWidget;
class QListWidgetItem;

namespace ks::ui {

class CurveFigure;
class PlotView;
struct CurveContent;

enum class CurveStyle {
    points,  ///< points joined by a thin line, with error bars: measured g2
    line,    ///< line only: a fit
    scatter  ///< points only
};

/// One curve. `x` ascending; a value of `y` that is NaN, infinite or too large for an axis (see
/// canBeDrawn()) is a gap, and a line above the axes counts such values; `yerr` is one standard deviation, or
/// empty.
struct CurveSeries {
    QString label;  ///< in the legend: "1  0.0123"
    int bin = 1;    ///< colour, and the bin that the legend's tick shows or hides
    QString run;    ///< "run 7": each further run is dashed, dotted, ...; empty for one run
    QVector<double> x, y, yerr;
    CurveStyle style = CurveStyle::points;
    bool foreign = false;  ///< from other data than the displayed ones: grey, and not compared with anything
    int basis = 0;         ///< identifies the set of bins: curves of different sets are not compared
    /// Replaces label and run in figures for papers and in tooltips: "bin 1, q 0.0123 1/\u00c5" and "run 7,
    /// gram.tiled". Empty: as in the legend.
    QString labelInFull = {}, runInFull = {};
    /// If the label is not that of this bin in every run: replaces label and labelInFull in legends, where
    /// one entry represents the bin in all runs.
    QString ofAllRuns = {}, ofAllRunsInFull = {};
    /// Which points are drawn hollow and have no residual, one value per point; empty: none.
    QVector<bool> leftOut = {};
    /// Error of each point by which its residual from a fit is divided; empty: yerr.
    QVector<double> fitErrors = {};
    /// Replaces the colour of the bin.
    std::optional<QColor> colour = {};
    /// Replaces the colour of the bin by that of the run at this position (runColour()): for runs with one
    /// curve each.
    std::optional<qsizetype> hue = {};

    /// Lower and upper quartile of timings, one per point, at which the bars end; yerr is then empty.
    QVector<double> low = {}, high = {};

    bool isLeftOut(qsizetype point) const { return point < leftOut.size() && leftOut[point]; }

    QString legendLabel() const { return ofAllRuns.isEmpty() ? label : ofAllRuns; }
    QString legendLabelInFull() const { return ofAllRuns.isEmpty() ? labelInFull : ofAllRunsInFull; }
};

/// Bins and runs whose curves are not drawn.
struct HiddenCurves {
    QSet<int> bins = {};
    QSet<QString> runs = {};
};

/// A range of x that marks a bin, with edges that the user may move.
struct CurveBand {
    double from = 0, to = 0;
    int bin = 1;  ///< colour
    bool operator==(const CurveBand&) const = default;
};

/// Where a figure's legend is; `none` and `inside` are for exports.
enum class FigureLegend { elsewhere, inside, none };

/// Curves with error bars of one or more runs, with a legend of ticks at the side and an optional panel of
/// differences below. The wheel zooms at the cursor (over an axis: only that axis), dragging pans; until then
/// everything is shown (see PlotView).
class CurvePlot : public QWidget, public ExportablePlot {
    Q_OBJECT
  public:
    explicit CurvePlot(QWidget* parent = nullptr);
    ~CurvePlot() override;

    /// Up to this many curves, not counting fits, are drawn and are in the legend: of more bins, those at
    /// equal distances that have values, and the picked one. A line above the axes says how many. The table
    /// has all of them.
    static constexpr qsizetype mostCurves = 1000;
    /// Up to this many bands are drawn; otherwise a line above the axes says that none is.
    static constexpr qsizetype mostBands = 500;

    /// Replaces all curves. Ticks of bins and runs that remain are kept, as is the user's zoom unless the
    /// range of x changed. Throws ks::Error(run) if the lengths of x, y and errors differ.
    void setSeries(const QVector<CurveSeries>& series);
    /// All curves, also those that are too many to be drawn.
    const QVector<CurveSeries>& series() const { return series_; }
    /// The unit is added to the title in brackets; empty: none. Another unit, or another title of y, means
    /// another kind of data: the zoom is reset.
    void setXAxis(const QString& title, const QString& unit = {});
    void setYAxis(const QString& title, const QString& unit = {});
    /// A point at x <= 0 appears only on the linear axis.
    void setLogX(bool logarithmic);
    bool logX() const;
    void setLogY(bool logarithmic);
    /// Without the switch for a logarithmic x axis, x stays linear.
    void setLogOffered(bool offered);
    /// Shows a panel below with (run - first run) / error of each bin, where error is the root of the sum of
    /// both variances; without errors the plain difference. If points have a line curve of their bin and run
    /// (a fit), the panel shows the residuals of such points instead: (points - line) / error.
    void setDifferenceVisible(bool visible);
    /// Bands behind the curves. Dragging an edge emits edgeDragged; the plot does not move it but waits
    /// for new bands.
    void setBands(const QVector<CurveBand>& bands);
    /// Dragging with the left button marks a range of x (rangeDragged) instead of moving the axes.
    void setRangeTool(bool on);
    /// A text above the axes ("preview"); empty: none.
    /// @param brief drawn instead of it; empty: the note itself
    void setNote(const QString& note, const QString& brief = {});
    const QString& note() const;
    /// The text of an empty plot.
    void setEmptyText(const QString& text);

    /// Curves of this bin are drawn thicker on screen; nullopt: none.
    void setPickedBin(std::optional<int> bin);
    void setBinVisible(int bin, bool visible);
    bool binVisible(int bin) const;
    /// What is not ticked in the legend.
    HiddenCurves hidden() const;
    /// Hides these and no others, also in series that are set later, until the user changes a tick.
    void holdHidden(const HiddenCurves& hidden);
    void setRunVisible(const QString& run, bool visible);
    void setLegendVisible(bool visible);
    /// Whether CurveSeries::bin is the number of a bin, which csv() then lists; otherwise it only gives each
    /// curve a colour.
    void setOfBins(bool ofBins) { ofBins_ = ofBins; }
    /// Heading above the labels of bins: "bin, q (1/\u00c5)"; empty: none.
    void setLegendTitle(const QString& title);

    /// Number of curves that are currently drawn.
    int visibleCurves() const;
    const CurveFigure& figure() const { return *figure_; }
    QListWidget& legend() { return *legend_; }
    PlotView& view() { return *view_; }

    void paintFigure(QCPPainter& painter, const QSize& size) const override {
        paint(painter, size, FigureLegend::inside);
    }
    bool hasLegend() const override { return true; }
    void paintWithoutLegend(QCPPainter& painter, const QSize& size) const override {
        paint(painter, size, FigureLegend::none);
    }
    /// One row per point: run, bin and label where the curves have them, x, y and its error with their units,
    /// and the note.
    std::string csv() const override;
    QString whyEmpty() const override;
    std::string csvBegin() const override;
    QString figureName() const override { return QStringLiteral("curves"); }
    QSize sizeHint() const override { return {520, 320}; }
    QSize minimumSizeHint() const override { return {200, 120}; }

  public slots:
    void resetZoom();

  signals:
    /// The nearest point as text: "bin 4, run 7: delay 12 s, g2 1.21(1)"; empty if none is near.
    void pointHovered(const QString& text);
    void binVisibilityChanged(int bin, bool visible);
    /// A click, without dragging, on a point of a curve that is no line.
    /// @param curve position in series() @param point position in the curve
    void pointClicked(qsizetype curve, qsizetype point, Qt::KeyboardModifiers modifiers);
    /// `edge` indexes from[0], to[0], from[1], ..., with touching edges counted once.
    void edgeDragged(int edge, double x, bool final);
    /// @param from where the drag began @param to where it is
    void rangeDragged(double from, double to, bool final);

  protected:
    void resizeEvent(QResizeEvent* event) override;

  private:
    /// Redraws; the user's zoom is kept if the data are of the same kind.
    void present(const CurveContent& content, bool sameData);
    /// Sets a part of the content, and redraws if it is another one.
    template <class T>
    void set(T CurveContent::*part, const T& value, bool sameData);
    void showSwitches();
    void paint(QCPPainter& painter, const QSize& size, FigureLegend legend) const;
    /// @param most maximum number of rows
    std::string table(qsizetype most) const;
    /// Adds the curves that are drawn to the content. Returns whether they are others than before.
    bool choose(CurveContent& content);
    void fillLegend();
    void legendTicked(QListWidgetItem* item);
    void layoutLegend();

    CurveFigure* figure_;
    QListWidget* legend_;
    PlotView* view_;
    QAction *logX_, *logY_;
    QVector<CurveSeries> series_;
    std::vector<qsizetype> drawn_;          ///< position in series_ of each curve of the figure
    QString limitedCurves_, limitedBands_;  ///< what is too much to draw
    HiddenCurves held_;                     ///< by holdHidden()
    bool logOffered_ = true, legendWanted_ = true, ofBins_ = false;
};

}  // namespace ks::ui
