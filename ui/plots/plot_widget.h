#pragma once

#include <qcustomplot.h>
#include <QPointF>
#include <QString>
#include <QWidget>
#include <functional>
#include <utility>
#include <vector>

#include "ui/plots/export_plot.h"

class QVBoxLayout;

namespace ks::ui {

class PlotView;

/// What is drawn on the axes of a plot, which owns it.
class PlotMarks : public QCPLayerable {
    Q_OBJECT
  public:
    explicit PlotMarks(QCustomPlot* plot, const QString& layer = QStringLiteral("main"))
        : QCPLayerable(plot, layer) {}

  protected:
    void applyDefaultAntialiasingHint(QCPPainter* painter) const override { painter->setAntialiasing(true); }
};

/// Names with their colours, for binColour().
using PlotLegend = std::vector<std::pair<QString, int>>;
/// Adds a source that is not in it yet.
void addSource(PlotLegend& legend, const QString& name, int colour);

/// What most plots share: one QCustomPlot with the menu and the zoom of PlotView, drawn again for
/// other palettes, fonts and sizes, with a text if there is nothing to draw, a legend if there are several
/// sources, and a tool tip under the cursor; printed as it is shown.
class PlotWidget : public QWidget, public ExportablePlot {
    Q_OBJECT
  public:
    /// Shown if there is nothing to draw.
    void setEmptyText(const QString& text);
    PlotView& view() { return *view_; }
    /// The sources; shown above the axes if there are several.
    virtual PlotLegend legend() const { return {}; }
    void paintFigure(QCPPainter& painter, const QSize& size) const override;

  protected:
    /// @param name for screen readers
    /// @param fit sets the axes to the ranges of all data
    PlotWidget(const QString& name, std::function<void()> fit, QWidget* parent);

    /// There is nothing to draw: hint() is shown, without axes.
    virtual bool isEmpty() const = 0;
    virtual QString hint() const { return emptyText_; }
    /// Draws everything anew, into the plot of this widget or one to be printed.
    virtual void draw(QCustomPlot& plot, const QPalette& palette) const = 0;
    /// To be called by the constructor and after each change of the data.
    virtual void present();
    /// Tool tip at a point in pixels of the plot; empty: there is none.
    virtual QString describe(const QPointF& at) const = 0;
    /// Room above the axes.
    int topMargin() const;
    /// The marks of this widget, or others for a plot to be printed.
    template <class Marks>
    Marks& marksIn(QCustomPlot& plot, Marks* own) const {
        return &plot == plot_ ? *own : *new Marks(&plot);  // a child of the plot
    }
    /// draw() with the palette, the axes, the hint and the legend.
    void drawAll(QCustomPlot& plot, const QPalette& palette) const;
    void changeEvent(QEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

    bool hasAxes_ = true;
    QString emptyText_;
    QCustomPlot* plot_;
    PlotView* view_;
    QVBoxLayout* rows_;

  private:
    std::function<void()> fit_;
};

}  // namespace ks::ui
