#pragma once

#include <QPointF>
#include <QWidget>
#include <vector>

#include "ui/lab/roofline.h"
#include "ui/plots/export_plot.h"

class QCustomPlot;

namespace ks::ui {
class PlotView;
}

namespace ks::ui::lab {

/// Operations per second over operations per byte, both logarithmic, one point per variant, below the roofs
/// of one device. Impossible points are marked.
class RooflinePlot : public QWidget, public ExportablePlot {
    Q_OBJECT
  public:
    explicit RooflinePlot(QWidget* parent = nullptr);
    ~RooflinePlot() override;

    void setPoints(std::vector<RoofPoint> points, std::vector<Roof> roofs);
    const std::vector<RoofPoint>& points() const { return points_; }
    const std::vector<Roof>& roofs() const { return roofs_; }
    void setEmptyText(const QString& text);
    PlotView& view() { return *view_; }
    /// Position of a point, in pixels of the plot.
    QPointF pointAt(std::size_t index) const;

    void paintFigure(QCPPainter& painter, const QSize& size) const override;
    std::string csv() const override;
    QString figureName() const override { return QStringLiteral("roofline"); }
    QSize sizeHint() const override { return {420, 320}; }
    QSize minimumSizeHint() const override { return {200, 120}; }

  protected:
    void changeEvent(QEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

  private:
    void present();
    void draw(QCustomPlot& plot, const QPalette& palette) const;
    void fit(QCustomPlot& plot) const;
    QString describe(const QPointF& at) const;

    std::vector<RoofPoint> points_;
    std::vector<Roof> roofs_;
    QString emptyText_;
    QCustomPlot* plot_;
    PlotView* view_;
};

}  // namespace ks::ui::lab
