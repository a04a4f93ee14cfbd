#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include <QImage>
#include <QPointF>
#include <QString>
#include <QTimer>
#include <QTransform>

#include "core/base/array.h"
#include "core/data/regions/pixel_region.h"
#include "ui/base/colour_map.h"
#include "ui/image/view/image_renderer.h"
#include "ui/image/view/ring_painter.h"
#include "ui/image/view/tool_canvas.h"
#include "ui/plots/export_plot.h"

class QAction;

namespace ks::ui {

/// A detector frame with overlays and a colour-scale bar. Coordinates are those of ks::Geometry: x along
/// columns, y along rows (downwards), the centre of pixel (row 0, column 0) at (0.5, 0.5). Pixels are
/// square.
class DetectorView : public ToolCanvas, public ExportablePlot {
    Q_OBJECT
  public:
    /// Paints above the image; the transform maps image coordinates to widget coordinates.
    using Layer = std::function<void(QPainter& painter, const QTransform& imageToWidget)>;

    explicit DetectorView(QWidget* parent = nullptr);
    ~DetectorView() override;

    /// Rank 2, [y][x], any element type; null: empty. Zoom, mask and labels are kept for a frame of the same
    /// shape and dropped for another. Throws ks::Error(run) for another rank.
    void setFrame(std::shared_ptr<const ks::Array> frame);
    const std::shared_ptr<const ks::Array>& frame() const { return renderer_.frame(); }
    /// One byte per pixel, [y][x]; nonzero: ignored. The owner may change the bytes in place and then call
    /// maskChanged. Throws ks::Error(run) for another size than the frame's. Null: none.
    void setMask(std::shared_ptr<const std::vector<std::uint8_t>> ignore);
    /// The mask has changed in this part: only that is redrawn. Automatic limits follow a little later, not
    /// with each stroke of a brush.
    void maskChanged(const ks::PixelRect& where);
    /// Bins in translucent colours: one label per pixel, [y][x]; 0 or less: none. The owner may change the
    /// labels in place and then call labelsChanged. Throws ks::Error(run) for another size than the
    /// frame's. Null: none.
    void setLabels(std::shared_ptr<const std::vector<std::int32_t>> labels);
    void labelsChanged(const ks::PixelRect& where);
    /// Bins whose overlay is shown: visible[b] is label b + 1. Labels beyond the vector are shown.
    void setVisibleBins(std::vector<bool> visible);
    /// Outlines around (x, y) in pixels. The centre may lie outside the frame.
    void setRings(double x, double y, std::vector<RingOutline> rings);
    void setBeam(std::optional<QPointF> beam);
    /// An additional layer (spot boxes, mask tools), painted in the order of addition. Returns an
    /// id for removeLayer.
    int addLayer(Layer layer);
    void removeLayer(int id);

    void setColourMap(const ColourMap& map);
    const ColourMap& colourMap() const { return renderer_.colourMap(); }
    void setColourScale(const ColourScale& scale);
    /// Including the limits in effect.
    const ColourScale& colourScale() const { return renderer_.colourScale(); }
    /// How several image pixels are reduced to one cell on screen.
    void setReduction(Reduction reduction);
    Reduction reduction() const { return renderer_.detail().reduction(); }
    /// Valid pixels of the frame, for histograms; an evenly strided sample for large frames.
    const std::vector<double>& values() const { return values_; }
    /// The largest valid value of all pixels; NaN if unknown (other reductions than max).
    double largestValue() const { return renderer_.detail().largest(); }
    /// A bar at the lower left that is a round number of pixels long.
    void setScaleBarVisible(bool visible);
    /// q in 1/angstrom of one pixel at the beam, for the scale bar; 0 or NaN: unknown.
    void setQScale(double qPerPixel);
    void setValueTitle(const QString& title);  ///< next to the scale bar: "counts"
    static constexpr double defaultOpacity = ImageRenderer::defaultOpacity;
    void setOverlayOpacity(double opacity);  ///< 0 to 1
    double overlayOpacity() const { return renderer_.opacity(); }
    void setRingsVisible(bool visible);
    bool ringsVisible() const { return ringsVisible_; }
    void setEmptyText(const QString& text);
    /// A note on the results that are drawn, as a badge on the image: "outdated (Gain)"; empty: none.
    void setNote(const QString& note);
    const QString& note() const { return note_; }

    /// Pans and zooms so that this part (image coordinates) fills the image area.
    void showPart(const QRectF& image);
    /// The visible part, in image coordinates.
    QRectF seenPart() const { return viewport_.visible(); }
    /// Part of the widget that shows the image (the rest is the scale bar).
    QRectF imageArea() const;
    /// "14", "masked (65535)", "NaN".
    QString valueText(int column, int row) const;

    /// The current view including the colour-scale bar.
    QImage picture() const;

    void paintFigure(QCPPainter& painter, const QSize& size) const override;
    /// The frame as rows of numbers.
    std::string csv() const override;
    QString whyEmpty() const override { return frame() ? QString() : emptyText_; }
    /// In place of frames, where nothing is open.
    static QString openHint();
    QString figureName() const override { return QStringLiteral("frame"); }
    QSize sizeHint() const override { return {560, 480}; }
    QSize minimumSizeHint() const override { return {200, 160}; }

  public slots:
    /// Copies the picture to the clipboard.
    void copyPicture() const;

  signals:
    /// The pixel under the cursor with its original value.
    void hovered(int column, int row, const QString& valueText);
    void hoverLeft();
    void viewChanged();
    /// Limits, kind or percentile in effect have changed (also because of a new frame with automatic limits).
    void colourScaleChanged(const ks::ui::ColourScale& scale);
    /// Another scale was set. Unlike colourScaleChanged it passes the limits as set, not those that the view
    /// computes for a frame.
    void colourScaleSet(const ks::ui::ColourScale& scale);
    void colourMapChanged(const ks::ui::ColourMap& map);
    void reductionChanged(ks::ui::Reduction reduction);
    void valuesChanged();
    void colourBarClicked();
    /// A click without a drag that no tool used.
    void clicked(const QPointF& image, Qt::MouseButton button, Qt::KeyboardModifiers modifiers);

  protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;

  private:
    bool hasPicture() const override { return frame() != nullptr; }
    bool takesPress(const QMouseEvent& event) override;
    bool takesRelease(const QMouseEvent& event) override;
    void hoverAt(const QPointF& widget) override;
    void hoverEnded() override;
    void clickedAt(const QMouseEvent& event) override;
    void viewMoved() override;
    void updateCursor() override;
    void makeActions();
    void takeValues();
    void rescale();
    void fitArea();
    /// Repaints this part of the picture.
    void updatePart(const QRectF& part);
    bool overBar(const QPointF& widget) const;
    double barWidth(const QFontMetrics& metrics) const;
    BeyondLimits beyond() const;
    bool event(QEvent* event) override;
    void paintAll(QPainter& painter, const QSize& size, const QPalette& palette, double ratio) const;
    /// The scale bar of colours, to the right of this area.
    void paintBar(QPainter& painter, const QRectF& area, const QPalette& palette) const;
    void paintScene(QPainter& painter, const QRectF& area, const Viewport& viewport, const QImage& image,
                    const QPalette& palette) const;

    ImageRenderer renderer_;
    QPointF ringCentre_;
    std::vector<RingOutline> rings_;
    std::optional<QPointF> beam_;
    std::vector<std::pair<int, Layer>> layers_;
    int nextLayer_ = 1;

    ColourScale wanted_;  ///< as requested; the renderer's has the limits in effect
    QString valueTitle_, emptyText_, note_;
    bool ringsVisible_ = true;

    double qPerPixel_ = 0;
    std::vector<double> values_;
    std::pair<double, double> extremes_{0, 0};  ///< of the valid pixels

    std::optional<double> fitted_;  ///< percentile whose limits are in effect for this frame
    QAction* scaleBar_;             ///< checked: visible
    QTimer limitsLater_, levelsAhead_;
    std::optional<QPointF> cursor_;  ///< in widget coordinates, while on a pixel
    bool onBar_ = false;
};

}  // namespace ks::ui
