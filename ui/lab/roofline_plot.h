#pragma once

#include <vector>

#include "ui/lab/roofline.h"
#include "ui/tools/tool_plot.h"

namespace ks::ui::lab {

/// Operations per second over operations per byte, both logarithmic, one point per variant, below the roofs
/// of one device. Impossible points are marked.
class RooflinePlot : public ToolPlot {
    Q_OBJECT
  public:
    explicit RooflinePlot(QWidget* parent = nullptr);

    void setPoints(std::vector<RoofPoint> points, std::vector<Roof> roofs);
    const std::vector<RoofPoint>& points() const { return points_; }
    const std::vector<Roof>& roofs() const { return roofs_; }
    /// Position of a point, in pixels of the plot.
    QPointF pointAt(std::size_t index) const;

    std::string csv() const override;
    QString figureName() const override { return QStringLiteral("roofline"); }
    QSize sizeHint() const override { return {420, 320}; }
    QSize minimumSizeHint() const override { return {200, 120}; }

  private:
    void draw(QCustomPlot& plot, const QPalette& palette) const override;
    QString describe(const QPointF& at) const override;
    void fit();

    std::vector<RoofPoint> points_;
    std::vector<Roof> roofs_;
};

}  // namespace ks::ui::lab
