#pragma once

#include <functional>
#include <optional>

#include <QSet>
#include <QString>
#include <QVector>
#include <QWidget>

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
    line,    ///< a line alone: a fit
    scatter  ///< points alone
};

/// One curve. `x` ascending; NaN in `y` is a gap; `yerr` is one standard deviation, or empty.
struct CurveSeries {
    QString label;  ///< in the legend: "1  0.0123"
    int bin = 1;    ///< colour, and what the legend's tick turns on and off
    QString run;    ///< "run 7": each further run is dashed, dotted, ...; empty for one run
    QVector<double> x, y, yerr;
    CurveStyle style = CurveStyle::points;
    bool foreign = false;  ///< of other data than what is shown beside it: grey, and compared with nothing
    int basis = 0;         ///< of the bins: curves of different ones are not compared
    /// What figures for papers and tool tips say instead of label and run: "bin 1, q 0.0123 1/\u00c5" and
    /// "run 7, gram.tiled". Empty: as the legend.
    QString labelInFull = {}, runInFull = {};
};

/// A range of x that stands for a bin, with edges that a hand may move.
struct CurveBand {
    double from = 0, to = 0;
    int bin = 1;  ///< colour
    bool operator==(const CurveBand&) const = default;
};

/// Of a drawn figure; `none` and `inside` are those of exports.
enum class FigureLegend { elsewhere, inside, none };

/// Curves with error bars of one or more runs, with a legend of ticks at the side and, if wanted, a panel of
/// differences below. Wheel zooms at the cursor (over an axis: that axis alone), drag pans; until then all is
/// shown (see PlotView).
class CurvePlot : public QWidget, public ExportablePlot {
    Q_OBJECT
  public:
    explicit CurvePlot(QWidget* parent = nullptr);
    ~CurvePlot() override;

    /// Replaces all curves; ticks of bins and runs that are still there are kept, and so is the zoom of a
    /// hand unless the range of x changed. Throws ks::Error(run) where the lengths of x, y and yerr differ.
    void setSeries(const QVector<CurveSeries>& series);
    const QVector<CurveSeries>& series() const;
    /// The unit goes into the title in brackets; empty: none. Another unit, or another title of y, is another
    /// kind of data: all of it is shown.
    void setXAxis(const QString& title, const QString& unit = {});
    void setYAxis(const QString& title, const QString& unit = {});
    /// A point at x <= 0 is shown on the linear axis only.
    void setLogX(bool logarithmic);
    bool logX() const;
    void setLogY(bool logarithmic);
    /// Without the switch that makes x logarithmic: x stays linear.
    void setLogOffered(bool offered);
    /// Panel below with (run - first run) / error of each bin, error = the root of both variances; without
    /// errors the plain difference. With one run and a line curve of the same bin: points minus line (the
    /// residual of a fit).
    void setDifferenceVisible(bool visible);
    bool differenceVisible() const;
    /// Bands behind the curves. Dragging an edge emits edgeDragged; the plot itself moves nothing: it waits
    /// for other bands.
    void setBands(const QVector<CurveBand>& bands);
    /// A text above the axes ("preview"), or nothing.
    void setNote(const QString& note);
    const QString& note() const;
    /// What an empty plot says.
    void setEmptyText(const QString& text);

    /// Its curves are drawn thicker on the screen; nothing: none is.
    void setPickedBin(std::optional<int> bin);
    void setBinVisible(int bin, bool visible);
    bool binVisible(int bin) const;
    void setRunVisible(const QString& run, bool visible);
    void setLegendVisible(bool visible);
    /// What the labels are, above those of bins: "bin, q (1/\u00c5)"; empty: nothing is said.
    void setLegendTitle(const QString& title);

    /// Number of curves that are drawn now.
    int visibleCurves() const;
    const CurveFigure& figure() const { return *figure_; }
    QListWidget& legend() { return *legend_; }
    PlotView& view() { return *view_; }

    void paintFigure(QCPPainter& painter, const QSize& size) const override;
    bool hasLegend() const override { return true; }
    void paintWithoutLegend(QCPPainter& painter, const QSize& size) const override;
    std::string csv() const override;
    std::string csvBegin() const override;
    QString figureName() const override { return QStringLiteral("curves"); }
    QSize sizeHint() const override { return {520, 320}; }
    QSize minimumSizeHint() const override { return {200, 120}; }

  public slots:
    void resetZoom();

  signals:
    /// The nearest point as text: "bin 4, run 7: delay 12 s, g2 1.21(1)"; empty where there is none near.
    void pointHovered(const QString& text);
    void binVisibilityChanged(int bin, bool visible);
    /// Edge `edge` counted as from[0], to[0], from[1], ... with touching ones counted once.
    void edgeDragged(int edge, double x, bool final);

  protected:
    void changeEvent(QEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

  private:
    /// Draws; the zoom of a hand stays where it is of the same data.
    void present(const CurveContent& content, bool sameData);
    void showSwitches();
    void paint(QCPPainter& painter, const QSize& size, FigureLegend legend) const;
    /// @param most rows at most
    std::string table(qsizetype most) const;
    void fillLegend();
    void legendTicked(QListWidgetItem* item);
    void layoutLegend();

    CurveFigure* figure_;
    QListWidget* legend_;
    PlotView* view_;
    QAction *logX_, *logY_;
    bool logOffered_ = true, legendWanted_ = true;
};

}  // namespace ks::ui
