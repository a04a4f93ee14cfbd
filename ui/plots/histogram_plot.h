#pragma once

#include <functional>

#include <QPair>
#include <QSharedPointer>
#include <QString>
#include <QStringList>
#include <QVector>
#include <QWidget>

#include "ui/plots/export_plot.h"

class QAction;
class QCPAxisTicker;
class QCPRange;
class QCustomPlot;

namespace ks::ui {

class PlotView;

/// A histogram. Bin i is [edges[i], edges[i + 1]).
struct HistogramSeries {
    QString label;                  ///< in the legend: "kept"
    int colour = 1;                 ///< index for binColour(); 0: grey
    QString run;                    ///< "run 7": each further run is dashed, dotted, ...; empty for one run
    QVector<double> edges, counts;  ///< edges ascending, one more than counts
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

/// Step outlines of one or more histograms with a legend. The wheel zooms at the cursor (over an axis: only
/// that axis), dragging pans; until then everything is shown (see PlotView).
class HistogramPlot : public QWidget, public ExportablePlot {
    Q_OBJECT
  public:
    explicit HistogramPlot(QWidget* parent = nullptr);
    ~HistogramPlot() override;

    /// Replaces all series; the user's zoom is kept if the outermost edges are the same. Throws
    /// ks::Error(run) if the number of edges is not one more than that of counts, or if edges do not ascend.
    void setSeries(const QVector<HistogramSeries>& series);
    const QVector<HistogramSeries>& series() const { return series_; }
    /// The unit is added to the title in brackets; empty: none.
    void setXAxis(const QString& title, const QString& unit = {});
    /// What is counted, in the plural: "spots".
    void setCounted(const QString& what);
    /// Bins starting at x <= 0 are not shown on a logarithmic axis.
    void setLogX(bool logarithmic);
    /// An empty bin extends down to the axis, which starts below 1.
    void setLogY(bool logarithmic);
    bool logX() const { return logX_; }
    bool logY() const { return logY_; }
    /// Custom ticks of the linear x axis; null: the default ones.
    void setXTicker(QSharedPointer<QCPAxisTicker> ticker);
    /// Formats a bin in the hover text ("3 pixels"); empty: "bin 120-140 counts".
    void setBinText(std::function<QString(double from, double to)> text);
    /// @param name legend entry; empty: none
    void setBands(const QVector<HistogramBand>& bands, const QString& name = {});
    const QVector<HistogramBand>& bands() const { return bands_; }
    /// Dragging a mark emits markDragged; the plot does not move it but waits for new marks.
    void setMarks(const QVector<HistogramMark>& marks);
    const QVector<HistogramMark>& marks() const { return marks_; }
    void setEmptyText(const QString& text);
    void setFigureName(const QString& name);
    void setLegendVisible(bool visible);

    QCustomPlot& plot() { return *plot_; }
    PlotView& view() { return *view_; }
    /// "bin 120-140 counts: 12 spots", one part per series; empty if x is in no bin.
    QString describe(double x) const;

    void paintFigure(QCPPainter& painter, const QSize& size) const override;
    bool hasLegend() const override { return true; }
    void paintWithoutLegend(QCPPainter& painter, const QSize& size) const override;
    std::string csv() const override;
    QString figureName() const override { return name_; }
    QSize sizeHint() const override { return {520, 260}; }
    QSize minimumSizeHint() const override { return {200, 120}; }

  public slots:
    void resetZoom();

  signals:
    void pointHovered(const QString& text);
    void logYChanged(bool logarithmic);
    /// Dragged by the user; `final` when the button is released.
    void markDragged(int mark, double x, bool final);

  protected:
    void changeEvent(QEvent* event) override;
    bool eventFilter(QObject* object, QEvent* event) override;

  private:
    void refresh(bool keepZoom);
    void draw(QCustomPlot& plot, const QPalette& palette, bool printed) const;
    void paint(QCPPainter& painter, const QSize& size, bool legend) const;
    void addSeries(QCustomPlot& plot, const HistogramSeries& series, bool dark) const;
    void addRunSamples(QCustomPlot& plot, const QColor& line) const;
    QStringList runs() const;  ///< in order of first appearance
    void hover(const QPoint& at);
    void addBands(QCustomPlot& plot, const QPalette& palette) const;
    void addMarks(QCustomPlot& plot, const QPalette& palette) const;
    /// The mark under the cursor; -1: none.
    int markAt(const QPointF& at) const;
    bool dragMark(QEvent* event);
    void addLegend(QCustomPlot& plot, const QPalette& palette, bool printed) const;
    void addEmptyText(QCustomPlot& plot, const QPalette& palette) const;
    /// Ranges of x and y that show everything.
    QPair<QCPRange, QCPRange> whole() const;
    void fit(QCustomPlot& plot) const;

    QVector<HistogramSeries> series_;
    QVector<HistogramBand> bands_;
    QVector<HistogramMark> marks_;
    int dragged_ = -1;  ///< index into marks_
    QString xTitle_, xUnit_, counted_, emptyText_, bandName_, name_ = QStringLiteral("histogram");
    QSharedPointer<QCPAxisTicker> ticker_;
    std::function<QString(double, double)> binText_;
    bool logX_ = false, logY_ = false, legend_ = true;
    QString hovered_;
    QCustomPlot* plot_;
    PlotView* view_;
    QAction *logXSwitch_, *logYSwitch_;
};

}  // namespace ks::ui
