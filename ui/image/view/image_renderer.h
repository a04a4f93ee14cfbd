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

/// What a Viewport shows of a frame as an image: values in the colours of a scale, ignored pixels in a colour
/// of their own, bins as a tint above the others. The last picture is kept and drawn anew only where
/// something has changed. It knows no widget.
class ImageRenderer {
  public:
    using Mask = std::shared_ptr<const std::vector<std::uint8_t>>;
    using Labels = std::shared_ptr<const std::vector<std::int32_t>>;
    /// Faint: the data are seen through the bins.
    static constexpr double defaultOpacity = 0.18;

    /// Rank 2, [y][x], any element type; null: none. Mask and labels stay for a frame of the same shape and
    /// go with another. Throws ks::Error(run) for another rank, and nothing has changed.
    void setFrame(std::shared_ptr<const ks::Array> frame);
    const std::shared_ptr<const ks::Array>& frame() const { return frame_; }
    /// One byte a pixel, [y][x]; anything but 0: ignore. Null: none. Throws ks::Error(run) for another size
    /// than the frame's. Its owner may change the bytes in place and tell it to maskChanged.
    void setMask(Mask ignore);
    const Mask& mask() const { return mask_; }
    /// A label a pixel, [y][x], 0 or less: none. Null: none. Throws and changes in place as the mask.
    void setLabels(Labels labels);
    /// These pixels of the mask or the labels are others now. @return the part of the picture that is, too,
    /// in pixels of the screen from its upper left corner; empty: none
    QRectF maskChanged(const ks::PixelRect& where);
    QRectF labelsChanged(const ks::PixelRect& where);

    std::size_t height() const { return detail_.height(); }
    std::size_t width() const { return detail_.width(); }
    bool empty() const { return !frame_ || height() == 0 || width() == 0; }
    const LevelOfDetail& detail() const { return detail_; }

    void setColourMap(const ColourMap& map);
    const ColourMap& colourMap() const { return colours_; }
    /// Its limits as they are; automatic ones are the caller's to find.
    void setColourScale(const ColourScale& scale);
    const ColourScale& colourScale() const { return scale_; }
    void setReduction(Reduction reduction);
    /// Bins that are shown; labels beyond the vector are. visible[b] is label b + 1.
    void setVisibleBins(std::vector<bool> visible);
    /// Of the bins, 0 to 1.
    void setOpacity(double opacity);
    double opacity() const { return opacity_; }
    /// Base is around the image, and tells whether the bins' colours are those for dark ground.
    void setPalette(const QPalette& palette);

    /// The part of the image that the viewport shows, at `ratio` device pixels for a pixel of the screen.
    const QImage& picture(const Viewport& viewport, double ratio);
    /// The same, kept nowhere, on another ground.
    QImage render(const Viewport& viewport, double ratio, const QPalette& palette) const;
    /// Makes the level of detail that a picture of the viewport needs.
    void prepare(const Viewport& viewport, double ratio) const;

  private:
    using Grid = LevelOfDetail::Grid;

    static Grid gridOf(const Viewport& viewport, double ratio);
    QRectF redraw(const ks::PixelRect& pixels, bool valuesToo);
    /// Draws these cells of the picture from the frame.
    void drawPart(const ks::PixelRect& part, bool valuesToo, bool labelsToo);
    /// Moves the picture to where the grid lies and draws what has come into sight; false where it does not
    /// lie beside the last one by whole cells.
    bool scrollTo(const Grid& grid);
    void growBins(const ks::PixelRect& where);
    /// Colours of the labels on this ground, [label]; 0: not shown. Empty: none is.
    std::vector<QRgb> binColours(const QPalette& palette) const;
    /// The labels below the centres of these cells; 0 outside of the frame.
    void resampleLabels(const Grid& grid, const ks::PixelRect& part, std::vector<std::int32_t>& labels) const;
    /// Puts the colours of these cells into the image of the same size. No bins: no labels are shown.
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

    Grid grid_;                 ///< of cells_ and picture_
    std::vector<float> cells_;  ///< kept, so that new colours need no pixels; not fresh after a move
    std::vector<std::int32_t> labelCells_;
    QImage picture_;
    std::vector<QRgb> bins_;  ///< empty: to be made anew
    bool cellsFresh_ = false, labelsFresh_ = false, pictureFresh_ = false;
};

}  // namespace ks::ui
