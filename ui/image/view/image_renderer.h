#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include <QImage>
#include <QPalette>
#include <QRectF>

#include "core/base/array.h"
#include "core/data/regions/pixel_region.h"
#include "ui/base/colour_map.h"
#include "ui/image/view/level_of_detail.h"
#include "ui/image/view/viewport.h"

namespace ks::ui {

/// Renders what a Viewport shows of a frame as an image: values in the colours of a scale, ignored pixels in
/// a separate colour, bins as a tint on top. The last picture is kept and only its changed parts are redrawn.
/// Independent of widgets.
class ImageRenderer {
  public:
    using Mask = std::shared_ptr<const std::vector<std::uint8_t>>;
    using Labels = std::shared_ptr<const std::vector<std::int32_t>>;
    /// Faint: the data must be visible through the bins.
    static constexpr double defaultOpacity = 0.18;

    /// Rank 2, [y][x], any element type; null: none. Mask and labels are kept for a frame of the same shape
    /// and dropped for another. Throws ks::Error(run) for another rank and changes nothing.
    void setFrame(std::shared_ptr<const ks::Array> frame);
    const std::shared_ptr<const ks::Array>& frame() const { return frame_; }
    /// One byte per pixel, [y][x]; nonzero: ignored. Null: none. Throws ks::Error(run) for another size than
    /// the frame's. The owner may change the bytes in place and then call maskChanged.
    void setMask(Mask ignore);
    const Mask& mask() const { return mask_; }
    /// One label per pixel, [y][x]; 0 or less: none. Null: none. Errors and changes in place as for the mask.
    void setLabels(Labels labels);
    /// These pixels of the mask or the labels have changed. @return the changed part of the picture, in
    /// screen pixels from its upper left corner; empty: none
    QRectF maskChanged(const ks::PixelRect& where);
    QRectF labelsChanged(const ks::PixelRect& where);

    std::size_t height() const { return detail_.height(); }
    std::size_t width() const { return detail_.width(); }
    bool empty() const { return !frame_ || height() == 0 || width() == 0; }
    const LevelOfDetail& detail() const { return detail_; }

    void setColourMap(const ColourMap& map);
    const ColourMap& colourMap() const { return colours_; }
    /// The limits are used as given; computing automatic ones is up to the caller.
    void setColourScale(const ColourScale& scale);
    const ColourScale& colourScale() const { return scale_; }
    void setReduction(Reduction reduction);
    /// Which bins are shown: visible[b] is label b + 1. Labels beyond the vector are shown.
    void setVisibleBins(std::vector<bool> visible);
    /// Opacity of the bins, 0 to 1.
    void setOpacity(double opacity);
    double opacity() const { return opacity_; }
    /// Its base colour surrounds the image and decides whether bins use the colours for dark ground.
    void setPalette(const QPalette& palette);

    /// The part of the image that the viewport shows, at `ratio` device pixels per screen pixel.
    const QImage& picture(const Viewport& viewport, double ratio);
    /// The same on another ground, without keeping the picture.
    QImage render(const Viewport& viewport, double ratio, const QPalette& palette) const;
    /// Makes the level of detail that a picture of the viewport needs.
    void prepare(const Viewport& viewport, double ratio) const;

  private:
    using Grid = LevelOfDetail::Grid;

    static Grid gridOf(const Viewport& viewport, double ratio);
    QRectF redraw(const ks::PixelRect& pixels, bool valuesToo);
    /// Redraws these cells of the picture from the frame.
    void drawPart(const ks::PixelRect& part, bool valuesToo, bool labelsToo);
    /// Moves the picture to this grid and draws what has become visible; false if the grids are not offset
    /// by whole cells.
    bool scrollTo(const Grid& grid);
    void growBins(const ks::PixelRect& where);
    /// Colours of the labels on this ground, [label]; 0: not shown. Empty: none are shown.
    std::vector<QRgb> binColours(const QPalette& palette) const;
    /// The labels under the centres of these cells; 0 outside the frame.
    void resampleLabels(const Grid& grid, const ks::PixelRect& part, std::vector<std::int32_t>& labels) const;
    /// Writes the colours of these cells into the image of the same size. No bins: no labels are shown.
    void colour(const Grid& grid, const std::vector<float>& cells, const std::vector<std::int32_t>& labels,
                const std::vector<QRgb>& bins, const ks::PixelRect& part, const QPalette& palette,
                QImage& image) const;

    std::shared_ptr<const ks::Array> frame_;
    Mask mask_;
    Labels labels_;
    std::int32_t maxLabel_ = 0;
    std::vector<bool> visibleBins_;
    LevelOfDetail detail_;
    ColourMap colours_;
    ColourScale scale_;
    double opacity_ = defaultOpacity;
    QPalette palette_;

    Grid grid_;                 ///< grid of cells_ and picture_
    std::vector<float> cells_;  ///< kept, so that new colours need no pixels; outdated after a move
    std::vector<std::int32_t> labelCells_;
    QImage picture_;
    std::vector<QRgb> bins_;  ///< empty: to be rebuilt
    bool cellsFresh_ = false, labelsFresh_ = false, pictureFresh_ = false;
};

}  // namespace ks::ui
