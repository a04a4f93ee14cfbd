#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "ui/image/view/level_of_detail.h"
#include "ui/image/view/pixel_rows.h"
#include "ui/image/view/row_threads.h"

namespace ks::ui {
namespace {

/// Cells along one axis. The last one may extend beyond the frame; its centre is that of its part inside, or
/// a pixel at the border would be drawn outside the image.
struct Cells {
    std::ptrdiff_t number;
    double lastCentre;

    Cells(std::size_t n, std::size_t pixels, double size)
        : number(static_cast<std::ptrdiff_t>(n)),
          lastCentre((static_cast<double>(number - 1) + static_cast<double>(pixels) / size) / 2) {}
    /// First cell whose centre is at or right of `edge`, so that every cell belongs to exactly one interval.
    std::ptrdiff_t first(double edge) const {
        const auto cell = static_cast<std::ptrdiff_t>(std::ceil(edge - 0.5));
        return cell == number - 1 && edge > lastCentre ? number : cell;
    }
};

/// Cells [first, last) for each output cell: adjacent ranges if the cells are smaller than output cells,
/// otherwise the cell under the centre.
struct Range {
    std::ptrdiff_t first, last;
    bool operator==(const Range&) const = default;
};

std::vector<Range> ranges(double start, double step, std::size_t from, std::size_t n, const Cells& cells) {
    std::vector<Range> ranges(n);
    for (std::size_t i = 0; i < n; ++i) {
        const double edge = start + static_cast<double>(from + i) * step;
        Range range{cells.first(edge), cells.first(start + static_cast<double>(from + i + 1) * step)};
        if (range.first == range.last) {
            range.first = static_cast<std::ptrdiff_t>(std::floor(edge + step / 2));
            range.last = range.first + 1;
        }
        ranges[i] = {std::clamp<std::ptrdiff_t>(range.first, 0, cells.number),
                     std::clamp<std::ptrdiff_t>(range.last, 0, cells.number)};
    }
    return ranges;
}

struct Columns {
    std::vector<Range> along;
    std::size_t first = 0, count = 0;  ///< cells of the level that are read
};

Columns columnsOf(std::vector<Range> along) {
    std::ptrdiff_t from = std::numeric_limits<std::ptrdiff_t>::max(), to = 0;
    for (const Range& range : along) {
        if (range.first >= range.last) continue;
        from = std::min(from, range.first);
        to = std::max(to, range.last);
    }
    if (from >= to) return {std::move(along), 0, 0};
    return {std::move(along), static_cast<std::size_t>(from), static_cast<std::size_t>(to - from)};
}

void narrowLargest(const Columns& columns, const float* cells, float sign, float* out) {
    const auto from = static_cast<std::ptrdiff_t>(columns.first);
    for (std::size_t c = 0; c < columns.along.size(); ++c) {
        const Range range = columns.along[c];
        if (range.first >= range.last) continue;
        float maximum = cells[range.first - from];
        for (std::ptrdiff_t k = range.first + 1; k < range.last; ++k)
            maximum = std::max(maximum, cells[k - from]);
        out[c] = maximum == LevelOfDetail::invalid ? maximum : maximum * sign;
    }
}

void narrowMean(const Columns& columns, const float* sums, const float* counts, float* out) {
    const auto from = static_cast<std::ptrdiff_t>(columns.first);
    for (std::size_t c = 0; c < columns.along.size(); ++c) {
        const Range range = columns.along[c];
        if (range.first >= range.last) continue;
        float sum = 0, count = 0;
        for (std::ptrdiff_t k = range.first; k < range.last; ++k) {
            sum += sums[k - from];
            count += counts[k - from];
        }
        out[c] = count > 0 ? sum / count : LevelOfDetail::invalid;
    }
}

}  // namespace

void LevelOfDetail::resample(const Grid& grid, std::vector<float>& out) const {
    out.resize(grid.rows * grid.columns);
    resample(grid, {0, 0, static_cast<std::int64_t>(grid.columns), static_cast<std::int64_t>(grid.rows)},
             out);
}

void LevelOfDetail::resample(const Grid& grid, const PixelRect& part, std::vector<float>& out) const {
    const auto left = static_cast<std::size_t>(part.x), top = static_cast<std::size_t>(part.y);
    const auto wide = static_cast<std::size_t>(part.width), high = static_cast<std::size_t>(part.height);
    const std::size_t n = levelFor(grid.step);
    if (n && frame_) level(n);  // made before the threads start
    const double size = static_cast<double>(std::size_t{1} << n);
    const std::vector<Range> down =
        ranges(grid.y0 / size, grid.step / size, top, high, Cells(heightOf(n), height_, size));
    const Columns columns =
        columnsOf(ranges(grid.x0 / size, grid.step / size, left, wide, Cells(widthOf(n), width_, size)));
    const bool mean = reduction_ == Reduction::mean;
    const float sign = reduction_ == Reduction::min ? -1.0F : 1.0F;

    inParts(high, 64, [&](std::size_t first, std::size_t end) {
        Line line(columns.count, mean);
        const float* above = nullptr;
        for (std::size_t r = first; r < end; ++r) {
            float* cells = out.data() + (top + r) * grid.columns + left;
            if (above && down[r] == down[r - 1]) {
                std::copy_n(above, wide, cells);
                continue;
            }
            above = cells;
            std::fill_n(cells, wide, outside);
            if (down[r].first >= down[r].last || columns.count == 0) continue;
            for (std::ptrdiff_t k = down[r].first; k < down[r].last; ++k) {
                gather(n, static_cast<std::size_t>(k), columns.first, columns.first + columns.count,
                       k == down[r].first, line);
            }
            if (mean)
                narrowMean(columns, line.cells.data(), line.weights.data(), cells);
            else
                narrowLargest(columns, line.cells.data(), sign, cells);
        }
    });
}

PixelRect LevelOfDetail::touched(const Grid& grid, const PixelRect& pixels) const {
    // A cell of the level extends one size beyond the pixel, the one under a centre one step further.
    const double reach = static_cast<double>(std::size_t{1} << levelFor(grid.step)) + grid.step;
    const auto cells = [&](std::int64_t from, std::int64_t length, double start, std::size_t maximum) {
        const double first = std::floor((static_cast<double>(from) - reach - start) / grid.step);
        const double last = std::ceil((static_cast<double>(from + length) + reach - start) / grid.step);
        const double end = static_cast<double>(maximum);
        return std::pair(static_cast<std::int64_t>(std::clamp(first, 0.0, end)),
                         static_cast<std::int64_t>(std::clamp(last, 0.0, end)));
    };
    const auto [left, right] = cells(pixels.x, pixels.width, grid.x0, grid.columns);
    const auto [top, bottom] = cells(pixels.y, pixels.height, grid.y0, grid.rows);
    return {left, top, right - left, bottom - top};
}

}  // namespace ks::ui
