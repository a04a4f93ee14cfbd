#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include <QCursor>
#include <QImage>
#include <QPointF>
#include <QPointer>
#include <QString>
#include <QTimer>
#include <QTransform>
#include <QWidget>

#include "core/base/array.h"
#include "core/data/partition/q_partition.h"
#include "core/data/pixel_mask.h"
#include "core/data/regions/pixel_region.h"
#include "ui/base/colour_map.h"
#include "ui/image/overlay/ring_painter.h"
#include "ui/image/tools/image_tool.h"
#include "ui/image/view/image_renderer.h"
#include "ui/image/view/level_of_detail.h"
#include "ui/image/view/viewport.h"
#include "ui/plots/export_plot.h"

class QAction;

namespace ks::ui {

/// A detector frame with overlays and a colour-scale bar. Coordinates are those of ks::Geometry: x along
/// columns, y along rows downwards, the centre of pixel (row 0, column 0) at (0.5, 0.5). Square pixels. Wheel
/// zooms at the cursor, drag pans, double click or Home fits; + and - zoom, arrows pan. A tool gets the left
/// button and the keys first; the middle button and Space with the left one always pan.
class DetectorView : public QWidget, public ExportablePlot {
    Q_OBJECT
  public:
    /// Paints above the image; the transform maps image coordinates to those of the widget.
    using Layer = std::function<void(QPainter& painter, const QTransform& imageToWidget)>;

    explicit DetectorView(QWidget* parent = nullptr);
    ~DetectorView() override;

    /// Rank 2, [y][x], any element type; null: empty. The zoom is kept for a frame of the same shape, and so
    /// are mask and labels; they are dropped for another shape. Throws ks::Error(run) for another rank.
    void setFrame(std::shared_ptr<const ks::Array> frame);
    const std::shared_ptr<const ks::Array>& frame() const { return renderer_.frame(); }
    /// One byte a pixel, [y][x]; anything but 0: ignore. Its owner may change the bytes in place and tell it
    /// to maskChanged. Throws ks::Error(run) for another size than the frame's. Null: none.
    void setMask(std::shared_ptr<const std::vector<std::uint8_t>> ignore);
    void setMask(std::shared_ptr<const ks::PixelMask> mask);
    void setMask(std::nullptr_t) { setMask(std::shared_ptr<const std::vector<std::uint8_t>>()); }
    /// The mask's bytes are others in this part: only that is drawn anew. Automatic limits follow a little
    /// later, not with each stroke of a brush.
    void maskChanged(const ks::PixelRect& where);
    /// Bins in their translucent colours: a label a pixel, [y][x], 0 or less: none. The owner may change the
    /// labels in place and tell it to labelsChanged. Throws ks::Error(run) for another size than the frame's.
    /// Null: none.
    void setLabels(std::shared_ptr<const std::vector<std::int32_t>> labels);
    void setLabels(std::shared_ptr<const ks::QPartition> labels);
    void setLabels(std::nullptr_t) { setLabels(std::shared_ptr<const std::vector<std::int32_t>>()); }
    void labelsChanged(const ks::PixelRect& where);
    /// Bins whose overlay is shown; labels beyond the vector are shown. visible[b] is label b + 1.
    void setVisibleBins(std::vector<bool> visible);
    /// Outlines around (x, y) in pixels. The centre may be outside of the frame.
    void setRings(double x, double y, std::vector<RingOutline> rings);
    void setBeam(std::optional<QPointF> beam);
    /// A further layer (spot boxes, mask tools), painted in the order of addition; returns a number for
    /// removeLayer.
    int addLayer(Layer layer);
    void removeLayer(int id);

    /// What the left button and the keys do from now on; the earlier tool is cancelled. Not owned; null: the
    /// default tool. Esc leaves the tool; where something is half done, a first Esc forgets that. A double
    /// click that the tool has no use for is a second press to a tool that took the first one, so that quick
    /// strokes of a brush do not fit the image.
    void setTool(ImageTool* tool);
    ImageTool* tool() const { return tool_; }
    /// What the left button does while no other tool is chosen; not owned, null: nothing.
    void setDefaultTool(ImageTool* tool);
    ImageTool* defaultTool() const { return default_; }
    /// A tool other than the default one.
    bool toolInUse() const { return tool_ && tool_ != default_; }
    /// What Esc does to a tool in use.
    void escape(QKeyEvent& event);

    void setColourMap(const ColourMap& map);
    const ColourMap& colourMap() const { return renderer_.colourMap(); }
    void setColourScale(const ColourScale& scale);
    /// With the limits in effect.
    const ColourScale& colourScale() const { return renderer_.colourScale(); }
    /// What a cell of the screen shows of several pixels.
    void setReduction(Reduction reduction);
    Reduction reduction() const { return renderer_.detail().reduction(); }
    /// Valid pixels of the frame, a sample of evenly strided ones in large frames: for histograms.
    const std::vector<double>& values() const { return values_; }
    /// The largest valid value of all pixels; NaN where it is not known (other reductions than max).
    double largestValue() const { return renderer_.detail().largest(); }
    /// A bar of a round number of pixels at the lower left.
    void setScaleBarVisible(bool visible);
    bool scaleBarVisible() const { return scaleBarVisible_; }
    /// q in 1/angstrom for one pixel at the beam, for the scale bar; 0 or NaN: unknown.
    void setQScale(double qPerPixel);
    void setValueTitle(const QString& title);  ///< at the scale bar: "counts"
    static constexpr double defaultOpacity = ImageRenderer::defaultOpacity;
    void setOverlayOpacity(double opacity);  ///< 0 to 1
    double overlayOpacity() const { return renderer_.opacity(); }
    void setRingsVisible(bool visible);
    bool ringsVisible() const { return ringsVisible_; }
    void setEmptyText(const QString& text);

    /// Pixels of the widget for one of the image.
    double zoom() const { return viewport_.scale(); }
    /// Zooms so that `anchor` (widget) stays over the same image point.
    void zoomBy(double factor, const QPointF& anchor);
    QPointF toImage(const QPointF& widget) const { return viewport_.toImage(widget); }
    QPointF toWidget(const QPointF& image) const { return viewport_.toScreen(image); }
    bool fitted() const { return viewport_.fitted(); }
    /// Pans and zooms so that this part (image coordinates) fills what is seen of the image.
    void showPart(const QRectF& image);
    /// What is seen, in image coordinates.
    QRectF seenPart() const { return viewport_.visible(); }
    /// Part of the widget that shows the image (the rest is the scale bar).
    QRectF imageArea() const;
    /// "14", "masked (65535)", "NaN".
    QString valueText(int column, int row) const;

    /// What the view shows now, with the colour-scale bar.
    QImage picture() const;

    void paintFigure(QCPPainter& painter, const QSize& size) const override;
    /// The frame as rows of numbers.
    std::string csv() const override;
    QString figureName() const override { return QStringLiteral("frame"); }
    QSize sizeHint() const override { return {560, 480}; }
    QSize minimumSizeHint() const override { return {200, 160}; }

  public slots:
    void fit();
    /// The picture goes to the clipboard.
    void copyPicture() const;

  signals:
    /// The pixel below the cursor with its original value.
    void hovered(int column, int row, const QString& valueText);
    void hoverLeft();
    void viewChanged();
    /// Limits, kind or percentile in effect changed (also through a new frame on the automatic scale).
    void colourScaleChanged(const ks::ui::ColourScale& scale);
    /// Somebody set another scale; unlike colourScaleChanged it comes with the limits as they were set, and
    /// not with those that the view finds for a frame.
    void colourScaleSet(const ks::ui::ColourScale& scale);
    void colourMapChanged(const ks::ui::ColourMap& map);
    void reductionChanged(ks::ui::Reduction reduction);
    void valuesChanged();
    void toolChanged();
    void colourBarClicked();
    /// A click without a drag that no tool took.
    void clicked(const QPointF& image, Qt::MouseButton button, Qt::KeyboardModifiers modifiers);

  protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void keyReleaseEvent(QKeyEvent* event) override;
    void focusOutEvent(QFocusEvent* event) override;
    bool event(QEvent* event) override;
    void leaveEvent(QEvent* event) override;
    void changeEvent(QEvent* event) override;

  private:
    void makeActions();
    void takeValues();
    void rescale();
    void fitArea();
    void viewMoved();
    /// Paints this part of the picture again.
    void updatePart(const QRectF& part);
    void hoverAt(const QPointF& widget);
    bool overBar(const QPointF& widget) const;
    ToolEvent toolEvent(const QMouseEvent& event) const;
    void updateCursor();
    double barWidth(const QFontMetrics& metrics) const;
    void paintAll(QPainter& painter, const QSize& size, const QPalette& palette, double ratio) const;
    void paintScene(QPainter& painter, const QRectF& area, const Viewport& viewport, const QImage& image,
                    const QPalette& palette) const;

    ImageRenderer renderer_;
    QPointF ringCentre_;
    std::vector<RingOutline> rings_;
    std::optional<QPointF> beam_;
    std::vector<std::pair<int, Layer>> layers_;
    int nextLayer_ = 1;

    ColourScale wanted_;  ///< the renderer's has the limits in effect
    QString valueTitle_, emptyText_;
    bool ringsVisible_ = true;

    bool scaleBarVisible_ = true;
    double qPerPixel_ = 0;
    std::vector<double> values_;

    Viewport viewport_;
    std::optional<double> fitted_;  ///< percentile whose limits of this frame are in effect
    QAction* scaleBarAction_ = nullptr;
    QTimer limitsLater_, levelsAhead_;
    std::optional<QPointF> cursor_;   ///< in the widget, while it is on a pixel
    std::optional<QPointF> pointer_;  ///< in the widget, wherever it is
    std::optional<QPointF> pressed_, dragged_;
    bool panning_ = false, onBar_ = false;
    QPointer<ImageTool> tool_, default_;
    bool toolPressed_ = false;  ///< it took the press: moves and release are its own
    bool toolTookLast_ = false;
    bool spaceHeld_ = false;
};

}  // namespace ks::ui
