#pragma once

#include <QWidget>
#include <optional>
#include <vector>

#include "core/devices/device_info.h"
#include "ui/lab/roofline.h"
#include "ui/plots/plot_widget.h"

class QLabel;
class QToolButton;

namespace ks::ui {
class Desk;
}  // namespace ks::ui

namespace ks::ui::lab {

struct Compared;
struct LabView;

/// Operations per second over operations per byte, both logarithmic, one point per variant, below the roofs
/// of one device. Impossible points are marked.
class RooflinePlot : public PlotWidget {
    Q_OBJECT
  public:
    explicit RooflinePlot(QWidget* parent = nullptr);

    void setPoints(std::vector<RoofPoint> points, std::vector<Roof> roofs);
    const std::vector<RoofPoint>& points() const { return points_; }
    const std::vector<Roof>& roofs() const { return roofs_; }
    /// Its name with the marks that it has: "user.add (wrong result)".
    static QString labelOf(const RoofPoint& point);
    /// Position of a point, in pixels of the plot.
    QPointF pointAt(std::size_t index) const;

    PlotLegend legend() const override;
    std::string csv() const override;
    QString figureName() const override { return QStringLiteral("roofline"); }
    QSize sizeHint() const override { return {420, 320}; }
    QSize minimumSizeHint() const override { return {200, 120}; }

  private:
    bool isEmpty() const override { return points_.empty(); }
    void draw(QCustomPlot& plot, const QPalette& palette) const override;
    QString describe(const QPointF& at) const override;
    void fit();

    std::vector<RoofPoint> points_;
    std::vector<Roof> roofs_;
};

/// The roofline, with a line about what it does not show, and a button that measures missing ceilings.
class RooflinePane : public QWidget {
    Q_OBJECT
  public:
    /// @param desk outlives it
    explicit RooflinePane(Desk& desk, QWidget* parent = nullptr);

    void show(const LabView& view);

    RooflinePlot& plot() { return *plot_; }
    QToolButton& measure() { return *measure_; }

  private:
    /// The device of a benchmark as it is known now; nothing if it is not present.
    std::optional<DeviceInfo> presentDevice(const Compared& of) const;

    Desk& desk_;
    std::optional<DeviceInfo> lacking_;  ///< a device that is present and has no ceilings
    RooflinePlot* plot_;
    QLabel* note_;  ///< what is not shown
    QToolButton* measure_;
};

}  // namespace ks::ui::lab
