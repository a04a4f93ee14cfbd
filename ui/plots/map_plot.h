#pragma once

#include <cstddef>
#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include <QLineF>
#include <QPointF>
#include <QString>
#include <QVector>
#include <QWidget>

#include "ui/base/colour_map.h"
#include "ui/plots/export_plot.h"

class QCPAbstractItem;
class QCPColorMap;
class QCPColorScale;
class QCustomPlot;

namespace ks::ui {

class PlotView;

/// A two-dimensional array [row][column] with axes. Row 0 is at the bottom (y grows upwards)
/// unless set otherwise.
struct MapData {
    std::size_t rows = 0, columns = 0;
    /// NaN is transparent, as are values that are infinite or that no colour scale can show, see
    /// canBeDrawn(); the note after the title counts the latter.
    std::vector<double> values;
    double xFirst = 0,
           xLast =
               0;  ///< coordinates of the centres of the first and last column; if equal, the index is used
    double yFirst = 0, yLast = 0;
    /// Edges of the rows, one more than rows, ascending and above 0: the y axis is logarithmic, and yFirst
    /// and yLast do not count. Empty: equal rows.
    std::vector<double> rowEdges = {};
    std::vector<double> rowPlaces = {};  ///< with rowEdges: what stands for each row, such as a mean
};

/// Map with a colour-scale bar: two-time correlation, potentials. The wheel zooms at the cursor, dragging
/// pans; until then everything is shown (see PlotView).
class MapPlot : public QWidget, public ExportablePlot {
    Q_OBJECT
  public:
    explicit MapPlot(QWidget* parent = nullptr);
    ~MapPlot() override;

    /// Throws ks::Error(run) if the number of values is not rows * columns, or that of edges does not fit
    /// the rows. The zoom is kept for the same shape.
    void setMap(MapData map);
    const MapData& map() const { return map_; }
    void setXAxis(const QString& title, const QString& unit = {});
    void setYAxis(const QString& title, const QString& unit = {});
    void setValueAxis(const QString& title, const QString& unit = {});
    /// @param note text after the title, as far as there is room
    void setTitle(const QString& title, const QString& note = {});
    const QString& title() const { return title_; }
    /// The note, and how many values are not drawn.
    QString titleNote() const;
    void setColourMap(const ColourMap& map);
    /// Limits by percentile if the scale is automatic. Default: linear, 0.5 % to 99.5 %.
    void setColourScale(const ColourScale& scale);
    const ColourScale& colourScale() const { return scale_; }  ///< including the limits in effect
    /// Equal unit length on both axes.
    void setSquare(bool square);
    /// Row 0 at the top, as in an image; otherwise at the bottom, as in a diagram.
    void setRowsDown(bool down);
    void setEmptyText(const QString& text);
    /// Dragging with the left button, or a click, emits pointDragged() instead of moving the axes.
    void setPointTool(bool on);
    /// Lines over the map, in coordinates of its axes, also in figures.
    void setLines(const QVector<QLineF>& lines);
    const QVector<QLineF>& lines() const { return lines_; }
    /// Additional lines for the pixel (row * columns + column) under the cursor.
    void setPixelText(std::function<QString(std::size_t pixel)> text) { pixelText_ = std::move(text); }

    QCustomPlot& plot() { return *plot_; }
    PlotView& view() { return *view_; }
    void paintFigure(QCPPainter& painter, const QSize& size) const override { paintMap(painter, size); }
    /// As paintFigure(). Returns the rectangle between the axes, in the figure.
    QRect paintMap(QCPPainter& painter, const QSize& size) const;
    std::string csv() const override;
    QString whyEmpty() const override { return map_.values.empty() ? emptyText_ : QString(); }
    QSize figureSize() const override { return {640, 560}; }
    QString figureName() const override { return QStringLiteral("map"); }
    QSize sizeHint() const override { return {360, 320}; }
    QSize minimumSizeHint() const override { return {200, 120}; }

  public slots:
    void resetZoom();

  signals:
    /// "t1 12, t2 40: 1.213", plus the lines from setPixelText(); empty outside the map.
    void pointHovered(const QString& text);
    /// In coordinates of the axes. @param from where the drag began @param to where it is
    void pointDragged(const QPointF& from, const QPointF& to, bool final);

  protected:
    void resizeEvent(QResizeEvent* event) override;

  private:
    struct Parts;
    void build(Parts& parts, const QPalette& palette) const;
    void make(Parts& parts, const QPalette& palette) const;
    void showColours(Parts& parts, const QPalette& palette) const;
    void pool(Parts& parts) const;
    void showLines(Parts& parts) const;
    void watchDrags();
    void refresh();
    void keepSquare(QCustomPlot& plot) const;
    void showAll();
    QString describe(double x, double y) const;

    MapData map_;
    QString xTitle_, yTitle_, valueTitle_, title_, titleNote_, emptyText_;
    QString undrawn_;  ///< of the map
    ColourMap colours_;
    ColourScale wanted_, scale_;
    double smallest_ = std::numeric_limits<double>::quiet_NaN(), largest_ = smallest_;  ///< of the map
    BeyondLimits beyond_;                                                               ///< of scale_
    bool square_ = true, rowsDown_ = false, pointTool_ = false;
    std::optional<QPointF> draggedFrom_;
    QVector<QLineF> lines_;
    std::function<QString(std::size_t)> pixelText_;
    QCustomPlot* plot_;
    PlotView* view_;
    std::unique_ptr<Parts> parts_;
};

}  // namespace ks::ui
