#pragma once

#include <QImage>
#include <QPointF>
#include <QVector>
#include <optional>
#include <vector>

#include "ui/base/picture_place.h"
#include "ui/clusters/modules/map_scene.h"
#include "ui/image/view/panned_canvas.h"
#include "ui/plots/export_plot.h"

namespace ks::ui::clusters {

/// The pixels of a module with a grid of its read-out chips, coloured digis, outlines and centroids. A module
/// that is longer in y is shown on its side, with x vertical.
class ModuleMap : public ViewportCanvas, public ExportablePlot {
    Q_OBJECT
  public:
    explicit ModuleMap(QWidget* parent = nullptr);

    /// The zoom is kept for a module of the same size.
    void setScene(MapScene scene);
    const MapScene& scene() const { return scene_; }
    /// Draws a strong outline around a cluster, given as an index of the scene's data.
    void setSelected(std::optional<std::size_t> cluster);
    void setOutlinesVisible(bool visible);
    void setCentroidsVisible(bool visible);
    void setEmptyText(const QString& text);
    /// A note on what is shown, as a badge above the module: "outdated (Connectivity)"; empty: none.
    void setNote(const QString& note);
    const QString& note() const { return note_; }
    void setFigureName(const QString& name) { name_ = name; }
    /// Shows another map's crosshair at this pixel.
    void setPointer(std::optional<QPoint> pixel);

    /// Scrolls a part of the module (pixels x, y) into view.
    void look(const QRectF& pixels);
    /// The visible part, in pixels x, y of the module.
    QRectF seenPart() const { return turned(viewport_.visible()); }
    void showPart(const QRectF& pixels, bool whole);
    PicturePlace place() const;
    QPointF toWidget(const QPointF& pixel) const { return viewport_.toScreen(turned(pixel)); }
    /// Pixel under a point of the widget; nullopt: outside.
    std::optional<QPoint> pixelAt(const QPointF& widget) const;
    /// Whether x is vertical.
    bool lies() const { return scene_.data && scene_.data->height > scene_.data->width; }

    void paintFigure(QCPPainter& painter, const QSize& size) const override;
    /// x,y,adc,row,label of each digi, and the note, if there is one.
    std::string csv() const override;
    QString whyEmpty() const override { return scene_.data ? QString() : emptyText_; }
    QString figureName() const override { return name_; }
    QSize sizeHint() const override { return {420, 280}; }
    QSize minimumSizeHint() const override { return {200, 140}; }

    /// Where each of the scene's words begins, in lines as wide as there is room. @param width of the widget
    QVector<QPointF> placesOfWords(const QFontMetrics& metrics, int width) const;

  signals:
    /// The pixel under the cursor.
    void hovered(const QPoint& pixel);
    void hoverLeft();
    void clicked(const QPoint& pixel);
    /// The user zoomed or panned. @param whole the whole module is visible
    void partChanged(const QRectF& pixels, bool whole);

  protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

  private:
    QPointF turned(const QPointF& pixel) const { return lies() ? pixel.transposed() : pixel; }
    QRectF turned(const QRectF& part) const {
        return lies() ? QRectF(part.y(), part.x(), part.height(), part.width()) : part;
    }
    bool hasPicture() const override { return scene_.data != nullptr; }
    void viewMoved() override;
    void hoverAt(const QPointF& widget) override;
    void hoverEnded() override;
    void clickedAt(const QMouseEvent& event) override;
    /// The image area; the rest of the widget has axis numbers, and the scale or the words.
    QRectF areaOf(const QSize& size, const QFontMetrics& metrics) const;
    double besideOf(const QFontMetrics& metrics) const;
    double widthOfNumbers(const QFontMetricsF& metrics) const;  ///< of the axes
    /// With the numbers of the axis and its title beside them.
    double leftOfAxes(const QFontMetricsF& metrics) const;
    double noteHeight(const QFontMetrics& metrics, int width) const;
    QImage digisImage(const Viewport& viewport, double ratio, const QPalette& palette) const;
    void paintAll(QPainter& painter, const QSize& size, const Viewport& viewport, const QImage& digis,
                  const QPalette& palette) const;
    void paintChips(QPainter& painter, const Viewport& viewport, const QPalette& palette) const;
    void paintMarks(QPainter& painter, const Viewport& viewport, const QPalette& palette) const;
    void paintLines(QPainter& painter, const Viewport& viewport, const std::vector<QLineF>& lines) const;
    void paintArrows(QPainter& painter, const Viewport& viewport, const QPalette& palette) const;
    void paintTexts(QPainter& painter, const Viewport& viewport) const;
    void paintAxes(QPainter& painter, const Viewport& viewport, const QPalette& palette) const;
    void paintBeside(QPainter& painter, const QSize& size, const QPalette& palette) const;
    /// Calls use(digi, screen rectangle) for each visible pixel with digis: for the first of its digis.
    template <class Use>
    void eachSeen(const Viewport& viewport, const Use& use) const;

    MapScene scene_;
    std::optional<std::size_t> selected_;
    std::vector<QLineF> selectedLines_;
    bool outlines_ = true, centroids_ = true;
    QString emptyText_, note_, name_ = QStringLiteral("module");
    QImage picture_;  ///< of the digis; null: to be repainted
    std::optional<QPoint> pointer_;
    ColourMap colours_;
};

}  // namespace ks::ui::clusters
