#include "ui/image/view/image_renderer.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <mutex>
#include <string>
#include <utility>

#include "core/base/error.h"
#include "core/data/frame_check.h"
#include "ui/base/palette.h"
#include "ui/image/view/row_threads.h"
#include "ui/image/view/value_colours.h"

namespace ks::ui {
namespace {

constexpr std::int32_t maxColours = 1 << 16;

/// `share` of 256 parts; red and blue together, green separately.
QRgb blend(QRgb over, QRgb under, std::uint32_t share) {
    const std::uint32_t rest = 256 - share;
    const std::uint32_t redBlue = ((over & 0xff00ff) * share + (under & 0xff00ff) * rest) >> 8 & 0xff00ff;
    const std::uint32_t green = ((over & 0x00ff00) * share + (under & 0x00ff00) * rest) >> 8 & 0x00ff00;
    return 0xff000000 | redBlue | green;
}

/// Pixel under the centre of cell `at`, or -1 outside the frame.
std::ptrdiff_t pixelAt(double start, double step, std::size_t at, std::size_t length) {
    const double pixel = std::floor(start + (static_cast<double>(at) + 0.5) * step);
    return pixel >= 0 && pixel < static_cast<double>(length) ? static_cast<std::ptrdiff_t>(pixel) : -1;
}

/// The part of the rectangle that lies on the frame.
ks::PixelRect within(const ks::PixelRect& rect, std::size_t height, std::size_t width) {
    const std::int64_t left = std::max<std::int64_t>(rect.x, 0), top = std::max<std::int64_t>(rect.y, 0);
    const std::int64_t right = std::min(rect.x + rect.width, static_cast<std::int64_t>(width));
    const std::int64_t bottom = std::min(rect.y + rect.height, static_cast<std::int64_t>(height));
    return {left, top, std::max<std::int64_t>(right - left, 0), std::max<std::int64_t>(bottom - top, 0)};
}

}  // namespace

void ImageRenderer::setFrame(std::shared_ptr<const ks::Array> frame) {
    const bool same = frame && frame_ && frame->shape() == frame_->shape();
    detail_.set(frame, same ? mask_ : nullptr);  // throws before anything is changed
    frame_ = std::move(frame);
    cellsFresh_ = pictureFresh_ = false;
    if (same) return;
    mask_.reset();
    labels_.reset();
    bins_.clear();
    labelsFresh_ = false;
}

void ImageRenderer::setMask(Mask ignore) {
    detail_.set(frame_, ignore);
    mask_ = std::move(ignore);
    cellsFresh_ = pictureFresh_ = false;
}

void ImageRenderer::setLabels(Labels labels) {
    if (labels && labels->size() != height() * width()) {
        throw Error(ErrorKind::run, "there are " + std::to_string(labels->size()) +
                                        " labels, but the frame has " + size_text(height(), width()));
    }
    labels_ = std::move(labels);
    maxLabel_ = 0;
    growBins({0, 0, static_cast<std::int64_t>(width()), static_cast<std::int64_t>(height())});
    bins_.clear();
    labelsFresh_ = pictureFresh_ = false;
}

QRectF ImageRenderer::maskChanged(const ks::PixelRect& where) {
    if (!mask_) return {};
    detail_.maskChanged(where);
    return redraw(where, true);
}

QRectF ImageRenderer::labelsChanged(const ks::PixelRect& where) {
    if (!labels_) return {};
    growBins(where);
    return redraw(where, false);
}

void ImageRenderer::growBins(const ks::PixelRect& where) {
    if (!labels_) return;
    const ks::PixelRect part = within(where, height(), width());
    std::int32_t maximum = maxLabel_;
    std::mutex mutex;
    inParts(static_cast<std::size_t>(part.height), 256, [&](std::size_t first, std::size_t end) {
        std::int32_t found = 0;
        for (std::size_t r = first; r < end; ++r) {
            const std::int32_t* row =
                labels_->data() + (static_cast<std::size_t>(part.y) + r) * width() + part.x;
            for (std::int64_t x = 0; x < part.width; ++x) found = std::max(found, row[x]);
        }
        const std::lock_guard lock(mutex);
        maximum = std::max(maximum, found);
    });
    maximum = std::min(maximum, maxColours);
    if (maximum == maxLabel_) return;
    maxLabel_ = maximum;
    bins_.clear();
}

std::vector<QRgb> ImageRenderer::binColours(const QPalette& palette) const {
    std::vector<QRgb> bins;
    if (!labels_ || opacity_ <= 0) return bins;
    bins.resize(static_cast<std::size_t>(maxLabel_) + 1, 0);
    for (std::size_t b = 1; b < bins.size(); ++b) {
        const bool shown = b - 1 >= visibleBins_.size() || visibleBins_[b - 1];
        if (shown) bins[b] = binColour(static_cast<int>(b), isDark(palette)).rgb();
    }
    return bins;
}

void ImageRenderer::setColourMap(const ColourMap& map) {
    colours_ = map;
    pictureFresh_ = false;
}

void ImageRenderer::setColourScale(const ColourScale& scale) {
    scale_ = scale;
    pictureFresh_ = false;
}

void ImageRenderer::setReduction(Reduction reduction) {
    detail_.setReduction(reduction);
    cellsFresh_ = pictureFresh_ = false;
}

void ImageRenderer::setVisibleBins(std::vector<bool> visible) {
    visibleBins_ = std::move(visible);
    bins_.clear();
    pictureFresh_ = false;
}

void ImageRenderer::setOpacity(double opacity) {
    opacity_ = std::clamp(opacity, 0.0, 1.0);
    bins_.clear();
    pictureFresh_ = false;
}

void ImageRenderer::setPalette(const QPalette& palette) {
    if (palette == palette_) return;
    palette_ = palette;
    bins_.clear();
    pictureFresh_ = false;
}

void ImageRenderer::prepare(const Viewport& viewport, double ratio) const {
    const std::size_t needed = detail_.levelFor(gridOf(viewport, ratio).step);
    if (frame_ && needed > 0) detail_.level(needed);
}

ImageRenderer::Grid ImageRenderer::gridOf(const Viewport& viewport, double ratio) {
    const auto cells = [ratio](double length) {
        return static_cast<std::size_t>(std::max(1.0, std::ceil(length * ratio)));
    };
    const QPointF origin = viewport.visible().topLeft();
    return {origin.x(), origin.y(), 1 / (viewport.scale() * ratio), cells(viewport.area().height()),
            cells(viewport.area().width())};
}

void ImageRenderer::resampleLabels(const Grid& grid, const ks::PixelRect& part,
                                   std::vector<std::int32_t>& labels) const {
    labels.resize(grid.rows * grid.columns);
    const auto left = static_cast<std::size_t>(part.x), top = static_cast<std::size_t>(part.y);
    std::vector<std::ptrdiff_t> columns(static_cast<std::size_t>(part.width));
    for (std::size_t i = 0; i < columns.size(); ++i)
        columns[i] = pixelAt(grid.x0, grid.step, left + i, detail_.width());
    inParts(static_cast<std::size_t>(part.height), 64, [&](std::size_t first, std::size_t end) {
        for (std::size_t r = top + first; r < top + end; ++r) {
            std::int32_t* out = labels.data() + r * grid.columns + left;
            const std::ptrdiff_t row = pixelAt(grid.y0, grid.step, r, detail_.height());
            if (row < 0) {
                std::fill_n(out, columns.size(), 0);
                continue;
            }
            const std::int32_t* from = labels_->data() + static_cast<std::size_t>(row) * detail_.width();
            for (std::size_t i = 0; i < columns.size(); ++i) out[i] = columns[i] < 0 ? 0 : from[columns[i]];
        }
    });
}

void ImageRenderer::colour(const Grid& grid, const std::vector<float>& cells,
                           const std::vector<std::int32_t>& labels, const std::vector<QRgb>& bins,
                           const ks::PixelRect& part, const QPalette& palette, QImage& image) const {
    const ValueColours colours(colours_, scale_, palette.color(QPalette::Base).rgb());
    const auto left = static_cast<std::size_t>(part.x), top = static_cast<std::size_t>(part.y);
    const auto wide = static_cast<std::size_t>(part.width);
    const auto share = static_cast<std::uint32_t>(std::lround(opacity_ * 256));
    auto* pixels = reinterpret_cast<QRgb*>(image.bits());  // detaches before the threads start
    const auto stride = static_cast<std::size_t>(image.bytesPerLine()) / sizeof(QRgb);
    inParts(static_cast<std::size_t>(part.height), 64, [&](std::size_t first, std::size_t end) {
        for (std::size_t r = top + first; r < top + end; ++r) {
            QRgb* line = pixels + r * stride + left;
            const float* cell = cells.data() + r * grid.columns + left;
            colours.paint(cell, wide, line);
            if (bins.empty()) continue;
            const std::int32_t* label = labels.data() + r * grid.columns + left;
            for (std::size_t i = 0; i < wide; ++i) {
                if (label[i] <= 0 || cell[i] == LevelOfDetail::invalid) continue;  // the mask stays visible
                // Labels beyond the table (tens of thousands) share its last colour.
                const QRgb over = bins[std::min(static_cast<std::size_t>(label[i]), bins.size() - 1)];
                if (over) line[i] = blend(over, line[i], share);
            }
        }
    });
}

QImage ImageRenderer::render(const Viewport& viewport, double ratio, const QPalette& palette) const {
    const Grid grid = gridOf(viewport, ratio);
    std::vector<float> cells;
    detail_.resample(grid, cells);
    QImage image(static_cast<int>(grid.columns), static_cast<int>(grid.rows), QImage::Format_RGB32);
    image.setDevicePixelRatio(ratio);
    const ks::PixelRect all{0, 0, image.width(), image.height()};
    const std::vector<QRgb> bins = binColours(palette);
    std::vector<std::int32_t> labels;
    if (!bins.empty()) resampleLabels(grid, all, labels);
    colour(grid, cells, labels, bins, all, palette, image);
    return image;
}

const QImage& ImageRenderer::picture(const Viewport& viewport, double ratio) {
    const Grid grid = gridOf(viewport, ratio);
    if (grid != grid_) {
        pictureFresh_ = pictureFresh_ && scrollTo(grid);
        cellsFresh_ = labelsFresh_ = false;
        grid_ = grid;
    }
    picture_.setDevicePixelRatio(ratio);
    if (pictureFresh_) return picture_;
    const QSize size(static_cast<int>(grid_.columns), static_cast<int>(grid_.rows));
    const ks::PixelRect all{0, 0, size.width(), size.height()};
    if (picture_.size() != size) picture_ = QImage(size, QImage::Format_RGB32);
    picture_.setDevicePixelRatio(ratio);
    cells_.resize(grid_.rows * grid_.columns);
    drawPart(all, !cellsFresh_, !labelsFresh_);
    labelsFresh_ = !bins_.empty();
    cellsFresh_ = pictureFresh_ = true;
    return picture_;
}

void ImageRenderer::drawPart(const ks::PixelRect& part, bool valuesToo, bool labelsToo) {
    if (part.empty()) return;
    if (bins_.empty()) bins_ = binColours(palette_);
    if (valuesToo) detail_.resample(grid_, part, cells_);
    if (labelsToo && !bins_.empty()) resampleLabels(grid_, part, labelCells_);
    colour(grid_, cells_, labelCells_, bins_, part, palette_, picture_);
}

bool ImageRenderer::scrollTo(const Grid& grid) {
    if (grid.rows != grid_.rows || grid.columns != grid_.columns || grid.step != grid_.step) return false;
    const double right = (grid.x0 - grid_.x0) / grid.step, down = (grid.y0 - grid_.y0) / grid.step;
    const auto width = static_cast<std::int64_t>(grid.columns), height = static_cast<std::int64_t>(grid.rows);
    if (!(std::abs(right) < static_cast<double>(width) && std::abs(down) < static_cast<double>(height)))
        return false;
    constexpr double whole = 1e-6;  // of a cell
    const std::int64_t dx = std::llround(right), dy = std::llround(down);
    if (std::abs(right - static_cast<double>(dx)) > whole || std::abs(down - static_cast<double>(dy)) > whole)
        return false;
    const std::int64_t wide = width - std::abs(dx), high = height - std::abs(dy);
    auto* const pixels = reinterpret_cast<QRgb*>(picture_.bits());
    const std::int64_t stride = picture_.bytesPerLine() / static_cast<std::int64_t>(sizeof(QRgb));
    for (std::int64_t i = 0; i < high; ++i) {
        // No row is overwritten before it is read.
        const std::int64_t to = dy >= 0 ? i : height - 1 - i;
        std::memmove(pixels + to * stride + std::max<std::int64_t>(-dx, 0),
                     pixels + (to + dy) * stride + std::max<std::int64_t>(dx, 0),
                     static_cast<std::size_t>(wide) * sizeof(QRgb));
    }
    grid_ = grid;
    drawPart({0, dy > 0 ? high : 0, width, std::abs(dy)}, true, true);
    drawPart({dx > 0 ? wide : 0, dy > 0 ? 0 : -dy, std::abs(dx), high}, true, true);
    return true;
}

QRectF ImageRenderer::redraw(const ks::PixelRect& pixels, bool valuesToo) {
    // The whole picture is redrawn anyway.
    if (!pictureFresh_) {
        (valuesToo ? cellsFresh_ : labelsFresh_) = false;
        return {};
    }
    const ks::PixelRect part = detail_.touched(grid_, pixels);
    if (part.empty()) return {};
    drawPart(part, valuesToo || !cellsFresh_, !valuesToo || !labelsFresh_);
    const double ratio = picture_.devicePixelRatio();
    return {static_cast<double>(part.x) / ratio, static_cast<double>(part.y) / ratio,
            static_cast<double>(part.width) / ratio, static_cast<double>(part.height) / ratio};
}

}  // namespace ks::ui
