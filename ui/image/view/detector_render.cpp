#include <algorithm>
#include <cmath>

#include "ui/image/colours/value_colours.h"
#include "ui/image/view/detector_view.h"
#include "ui/image/view/row_threads.h"

namespace ks::ui {
namespace {

/// share of 256 parts; red and blue together, green alone.
QRgb blend(QRgb over, QRgb under, std::uint32_t share) {
    const std::uint32_t rest = 256 - share;
    const std::uint32_t redBlue = ((over & 0xff00ff) * share + (under & 0xff00ff) * rest) >> 8 & 0xff00ff;
    const std::uint32_t green = ((over & 0x00ff00) * share + (under & 0x00ff00) * rest) >> 8 & 0x00ff00;
    return 0xff000000 | redBlue | green;
}

/// Pixel below the centre of cell `at`, or -1 outside of the frame.
std::ptrdiff_t pixelAt(double start, double step, std::size_t at, std::size_t length) {
    const double pixel = std::floor(start + (static_cast<double>(at) + 0.5) * step);
    return pixel >= 0 && pixel < static_cast<double>(length) ? static_cast<std::ptrdiff_t>(pixel) : -1;
}

}  // namespace

LevelOfDetail::Grid DetectorView::gridOf(const Viewport& viewport, double ratio) const {
    const auto cells = [ratio](double length) {
        return static_cast<std::size_t>(std::max(1.0, std::ceil(length * ratio)));
    };
    const QPointF origin = viewport.visible().topLeft();
    return {origin.x(), origin.y(), 1 / (viewport.scale() * ratio), cells(viewport.area().height()),
            cells(viewport.area().width())};
}

void DetectorView::resampleLabels(const LevelOfDetail::Grid& grid, const ks::PixelRect& part,
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

void DetectorView::colour(const LevelOfDetail::Grid& grid, const std::vector<float>& cells,
                          const std::vector<std::int32_t>& labels, const std::vector<QRgb>& bins,
                          const ks::PixelRect& part, const QPalette& palette, QImage& image) const {
    const ValueColours colours(colours_, scale_, palette.color(QPalette::Base).rgb());
    const auto left = static_cast<std::size_t>(part.x), top = static_cast<std::size_t>(part.y);
    const auto wide = static_cast<std::size_t>(part.width);
    const auto share = static_cast<std::uint32_t>(std::lround(opacity_ * 256));
    auto* pixels = reinterpret_cast<QRgb*>(image.bits());  // detaches, before the threads begin
    const auto stride = static_cast<std::size_t>(image.bytesPerLine()) / sizeof(QRgb);
    inParts(static_cast<std::size_t>(part.height), 64, [&](std::size_t first, std::size_t end) {
        for (std::size_t r = top + first; r < top + end; ++r) {
            QRgb* line = pixels + r * stride + left;
            const float* cell = cells.data() + r * grid.columns + left;
            colours.paint(cell, wide, line);
            if (bins.empty()) continue;
            const std::int32_t* label = labels.data() + r * grid.columns + left;
            for (std::size_t i = 0; i < wide; ++i) {
                if (label[i] <= 0 || cell[i] == LevelOfDetail::invalid) continue;  // the mask stays in sight
                // Labels beyond the table, tens of thousands, share its last colour.
                const QRgb over = bins[std::min(static_cast<std::size_t>(label[i]), bins.size() - 1)];
                if (over) line[i] = blend(over, line[i], share);
            }
        }
    });
}

QImage DetectorView::render(const Viewport& viewport, double ratio, const QPalette& palette) const {
    const LevelOfDetail::Grid grid = gridOf(viewport, ratio);
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

void DetectorView::refreshPicture() {
    const double ratio = devicePixelRatioF();
    const LevelOfDetail::Grid grid = gridOf(viewport_, ratio);
    if (grid != grid_) cellsFresh_ = labelsFresh_ = false;
    grid_ = grid;
    if (!cellsFresh_) {
        detail_.resample(grid_, cells_);
        cellsFresh_ = true;
        pictureFresh_ = false;
        if (!detail_.made(std::min<std::size_t>(1, detail_.levels() - 1))) levelsAhead_.start();
    }
    if (pictureFresh_) return;
    const QSize size(static_cast<int>(grid_.columns), static_cast<int>(grid_.rows));
    const ks::PixelRect all{0, 0, size.width(), size.height()};
    if (picture_.size() != size) picture_ = QImage(size, QImage::Format_RGB32);
    picture_.setDevicePixelRatio(ratio);
    if (bins_.empty()) bins_ = binColours(palette());
    if (!bins_.empty() && !labelsFresh_) {
        resampleLabels(grid_, all, labelCells_);
        labelsFresh_ = true;
    }
    colour(grid_, cells_, labelCells_, bins_, all, palette(), picture_);
    pictureFresh_ = true;
}

void DetectorView::redraw(const ks::PixelRect& pixels, bool valuesToo) {
    // Nothing is drawn yet, or all of it is drawn anew anyway.
    if (!cellsFresh_) {
        labelsFresh_ = false;
        return;
    }
    const ks::PixelRect part = detail_.touched(grid_, pixels);
    if (part.empty()) return;
    if (valuesToo) detail_.resample(grid_, part, cells_);
    if (!valuesToo && labelsFresh_) resampleLabels(grid_, part, labelCells_);
    if (!pictureFresh_) return update();
    if (bins_.empty()) bins_ = binColours(palette());
    if (!bins_.empty() && !labelsFresh_) {
        pictureFresh_ = false;
        return update();
    }
    colour(grid_, cells_, labelCells_, bins_, part, palette(), picture_);
    const double ratio = picture_.devicePixelRatio();
    const QRectF where(static_cast<double>(part.x) / ratio, static_cast<double>(part.y) / ratio,
                       static_cast<double>(part.width) / ratio, static_cast<double>(part.height) / ratio);
    update(where.translated(viewport_.area().topLeft()).toAlignedRect());
}

}  // namespace ks::ui
