#pragma once

#include <QPointF>
#include <QWidget>
#include <functional>

#include "ui/plots/export_plot.h"

class QCustomPlot;
class QVBoxLayout;

namespace ks::ui {

class PlotView;

/// What the plots of tools share: one QCustomPlot with the menu and the zoom of PlotView, drawn again for
/// other palettes, fonts and sizes, with a tool tip under the cursor, and printed as it is shown.
class ToolPlot : public QWidget, public ExportablePlot {
    Q_OBJECT
  public:
    /// Shown if there is nothing to draw.
    void setEmptyText(const QString& text);
    PlotView& view() { return *view_; }
    void paintFigure(QCPPainter& painter, const QSize& size) const override;

  protected:
    /// @param name for screen readers
    /// @param fit sets the axes to the ranges of all data
    ToolPlot(const QString& name, std::function<void()> fit, QWidget* parent);

    /// Draws everything anew, into the plot of this widget or one to be printed.
    virtual void draw(QCustomPlot& plot, const QPalette& palette) const = 0;
    /// To be called by the constructor and after each change of the data.
    virtual void present();
    /// Tool tip at a point in pixels of the plot; empty: there is none.
    virtual QString describe(const QPointF& at) const = 0;
    void changeEvent(QEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

    QString emptyText_;
    QCustomPlot* plot_;
    PlotView* view_;
    QVBoxLayout* rows_;

  private:
    std::function<void()> fit_;
};

}  // namespace ks::ui
