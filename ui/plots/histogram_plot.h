#pragma once

#include <QWidget>
#include <functional>
#include <optional>

#include "ui/plots/export_plot.h"
#include "ui/plots/histogram_content.h"

class QAction;

namespace ks::ui {

class PlotView;

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
    const QVector<HistogramSeries>& series() const { return content_.series; }
    /// The unit is added to the title in brackets; empty: none.
    void setXAxis(const QString& title, const QString& unit = {});
    /// The quantity and unit of the edges, for tables, if the axis is labelled with another one (see
    /// setXTicker); empty: that of the axis.
    void setEdgeTitle(const QString& title, const QString& unit) {
        edgeTitle_ = title;
        edgeUnit_ = unit;
    }
    /// What is counted, in the plural: "spots".
    /// @param one a single one, for the hover text: "spot"
    void setCounted(const QString& what, const QString& one = {}) {
        oneOf_ = one;
        set(&HistogramContent::counted, what);
    }
    /// Bins starting at x <= 0 are not shown on a logarithmic axis.
    void setLogX(bool logarithmic) { set(&HistogramContent::logX, logarithmic, false); }
    /// An empty bin extends down to the axis, which starts below 1.
    void setLogY(bool logarithmic);
    bool logX() const { return content_.logX; }
    bool logY() const { return content_.logY; }
    /// Custom ticks of the linear x axis; null: the default ones.
    void setXTicker(const QSharedPointer<QCPAxisTicker>& ticker) { set(&HistogramContent::ticker, ticker); }
    /// Formats a bin in the hover text ("3 pixels"); empty: "bin 120-140 counts".
    void setBinText(std::function<QString(double from, double to)> text) { binText_ = std::move(text); }
    /// @param name legend entry; empty: none
    void setBands(const QVector<HistogramBand>& bands, const QString& name = {});
    const QVector<HistogramBand>& bands() const { return content_.bands; }
    /// Dragging a mark emits markDragged; the plot does not move it but waits for new marks.
    void setMarks(const QVector<HistogramMark>& marks) { set(&HistogramContent::marks, marks); }
    const QVector<HistogramMark>& marks() const { return content_.marks; }
    void setEmptyText(const QString& text) { set(&HistogramContent::emptyText, text); }
    /// A note on what is shown, as a badge above the axes: "outdated (Gain)"; empty: none.
    void setNote(const QString& note) { set(&HistogramContent::note, note); }
    const QString& note() const { return content_.note; }
    void setFigureName(const QString& name) { name_ = name; }
    void setLegendVisible(bool visible) { set(&HistogramContent::legend, visible); }

    QCustomPlot& plot() { return *plot_; }
    PlotView& view() { return *view_; }
    /// "bin 120-140 counts: 12 spots", one part per series; empty if x is in no bin.
    QString describe(double x) const;

    void paintFigure(QCPPainter& painter, const QSize& size) const override { paint(painter, size, true); }
    bool hasLegend() const override { return true; }
    void paintWithoutLegend(QCPPainter& painter, const QSize& size) const override {
        paint(painter, size, false);
    }
    std::string csv() const override;
    QString whyEmpty() const override { return content_.hints() ? content_.emptyText : QString(); }
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
    bool eventFilter(QObject* object, QEvent* event) override;

  private:
    /// Sets a part of the content, and draws it if it is another one.
    template <class T>
    void set(T HistogramContent::*part, const T& value, bool keepZoom = true) {
        if (content_.*part == value) return;
        content_.*part = value;
        refresh(keepZoom);
    }
    void refresh(bool keepZoom);
    void paint(QCPPainter& painter, const QSize& size, bool legend) const;
    /// The mark under the cursor; nullopt: none.
    std::optional<int> markAt(const QPointF& at) const;
    bool dragMark(QEvent* event);

    HistogramContent content_;
    std::optional<int> dragged_;  ///< index of the mark
    QString name_ = QStringLiteral("histogram");
    QString edgeTitle_, edgeUnit_;  ///< of the edges in tables; empty: those of the axis
    QString oneOf_;                 ///< a single one of what is counted; empty: not known
    std::function<QString(double, double)> binText_;
    QCustomPlot* plot_;
    PlotView* view_;
    QAction *logXSwitch_, *logYSwitch_;
};

}  // namespace ks::ui
