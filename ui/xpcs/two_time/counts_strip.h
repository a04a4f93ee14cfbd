#pragma once

#include <QString>
#include <QWidget>
#include <vector>

#include "ui/plots/export_plot.h"

class QCustomPlot;
class QPalette;

namespace ks::ui {
class MapPlot;
}

namespace ks::ui::xpcs {

/// What a CountsStrip shows.
struct StripCounts {
    std::vector<double> counts = {};  ///< counts/px, [frame] of the map; NaN: not known; empty: none is shown
    std::vector<bool> leftOut = {};   ///< [frame], shaded
    double origin = 0, step = 1;      ///< of the frames on the axis of the map
    int bin = 0;                      ///< whose colour the curve has
    bool operator==(const StripCounts&) const = default;
};

/// A map and above it a strip with the mean counts of each frame, on the x axis of the map, which it follows.
/// If this widget is low, the map has all of it; a figure always has both.
class CountsStrip : public QWidget, public ExportablePlot {
    Q_OBJECT
  public:
    /// Owns the map from now on.
    explicit CountsStrip(MapPlot* map, QWidget* parent = nullptr);

    void setCounts(const StripCounts& counts);
    const StripCounts& counts() const { return shown_; }
    QCustomPlot& plot() { return *plot_; }
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;
    void paintFigure(QCPPainter& painter, const QSize& size) const override;
    std::string csv() const override;  ///< of the map
    QString whyEmpty() const override;
    QSize figureSize() const override;
    QString figureName() const override;

  signals:
    /// "frame 12: 3.4 counts/px"; empty beside the frames.
    void pointHovered(const QString& text);

  protected:
    void resizeEvent(QResizeEvent* event) override;

  private:
    void place();
    void draw();
    void drawCounts(QCustomPlot& plot, const QPalette& colours) const;
    /// Takes the place and the range of the x axis of the map.
    void follow();
    QString describe(double x) const;

    StripCounts shown_;
    MapPlot* map_;
    QCustomPlot* plot_;
};

}  // namespace ks::ui::xpcs
