#include "ui/image/view/level_of_detail.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <mutex>
#include <utility>

#include "core/base/error.h"
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

void raise(float* to, const float* by, std::size_t n) {
    for (std::size_t i = 0; i < n; ++i) to[i] = std::max(to[i], by[i]);
}
void add(float* to, const float* by, std::size_t n) {
    for (std::size_t i = 0; i < n; ++i) to[i] += by[i];
}
/// Combines neighbours; n cells become (n + 1) / 2.
void halve(const float* from, std::size_t n, bool mean, float* __restrict to) {
    if (mean) {
        for (std::size_t i = 0; i < n / 2; ++i) to[i] = from[2 * i] + from[2 * i + 1];
    } else {
        for (std::size_t i = 0; i < n / 2; ++i) to[i] = std::max(from[2 * i], from[2 * i + 1]);
    }
    if (n % 2) to[n / 2] = from[n - 1];
}

std::int64_t whole(std::size_t n) {
    return static_cast<std::int64_t>(n);
}
std::size_t index(std::int64_t n) {
    return static_cast<std::size_t>(n);
}

/// Source rows that one task reduces, chosen so that its row buffers stay in the cache: about a megapixel.
constexpr std::size_t minPixels = std::size_t{1} << 17;

}  // namespace

LevelOfDetail::LevelOfDetail(std::shared_ptr<const Array> frame, Ignore ignore) {
    set(std::move(frame), std::move(ignore));
}

void LevelOfDetail::set(std::shared_ptr<const Array> frame, Ignore ignore) {
    if (!frame) {
        const Reduction kept = reduction_;
        *this = {};
        reduction_ = kept;
        return;
    }
    if (frame->rank() != 2) {
        throw Error(ErrorKind::run,
                    "a frame must have 2 dimensions, but this array has " + std::to_string(frame->rank()));
    }
    const std::size_t height = frame->shape()[0], width = frame->shape()[1];
    if (ignore && ignore->size() != height * width) {
        throw Error(ErrorKind::run, "the mask has " + std::to_string(ignore->size()) +
                                        " pixels, but the frame has " + std::to_string(height) + " x " +
                                        std::to_string(width));
    }
    if (height != height_ || width != width_) {
        levels_.clear();
        for (std::size_t h = height, w = width; h > 1 || w > 1;) {
            h = (h + 1) / 2;
            w = (w + 1) / 2;
            levels_.emplace_back();
            levels_.back().height = h;
            levels_.back().width = w;
        }
    }
    frame_ = std::move(frame);
    ignore_ = std::move(ignore);
    height_ = height;
    width_ = width;
    for (Level& level : levels_) level.made = false;
}

void LevelOfDetail::setReduction(Reduction reduction) {
    if (reduction == reduction_) return;
    reduction_ = reduction;
    for (Level& level : levels_) {
        level.made = false;
        if (reduction != Reduction::mean) level.weights = {};
    }
}

void LevelOfDetail::gather(std::size_t n, std::size_t row, std::size_t from, std::size_t to, bool first,
                           Line& into) const {
    const std::size_t count = to - from;
    const bool mean = reduction_ == Reduction::mean;
    if (first && mean) {
        std::fill_n(into.cells.begin(), count, 0.0F);
        std::fill_n(into.weights.begin(), count, 0.0F);
    }
    if (n == 0) {
        const std::uint8_t* ignore = ignore_ ? ignore_->data() : nullptr;
        const std::size_t start = row * width_ + from;
        const float sign = reduction_ == Reduction::min ? -1.0F : 1.0F;
        if (mean) return addRow(*frame_, ignore, start, count, into.cells.data(), into.weights.data());
        if (first) return readRow(*frame_, ignore, start, count, sign, into.cells.data());
        return raiseRow(*frame_, ignore, start, count, sign, into.cells.data());
    }
    const Level& level = levels_[n - 1];
    const float* cells = level.cells.data() + row * level.width + from;
    if (mean) {
        add(into.cells.data(), cells, count);
        return add(into.weights.data(), level.weights.data() + row * level.width + from, count);
    }
    if (first)
        std::copy_n(cells, count, into.cells.data());
    else
        raise(into.cells.data(), cells, count);
}

void LevelOfDetail::reduce(std::size_t n, const PixelRect& part) const {
    std::size_t m = n - 1;
    while (!made(m)) --m;
    Level& level = levels_[n - 1];
    const bool mean = reduction_ == Reduction::mean;
    const std::size_t shift = n - m, from = index(part.x) << shift;
    const std::size_t to = std::min(index(part.x + part.width) << shift, widthOf(m));
    const std::size_t rowPixels = std::max<std::size_t>((to - from) << shift, 1);
    inParts(index(part.height), minPixels / rowPixels + 1, [&](std::size_t first, std::size_t end) {
        Line line(to - from, mean);
        std::vector<float> other(to - from);
        for (std::size_t r = first + index(part.y); r < end + index(part.y); ++r) {
            const std::size_t top = r << shift, bottom = std::min((r + 1) << shift, heightOf(m));
            for (std::size_t row = top; row < bottom; ++row) gather(m, row, from, to, row == top, line);
            const auto narrow = [&](std::vector<float>& cells, float* out) {
                std::size_t count = to - from;
                for (std::size_t k = 0; k < shift; ++k, count = (count + 1) / 2) {
                    halve(cells.data(), count, mean, other.data());
                    cells.swap(other);
                }
                std::copy_n(cells.data(), count, out + r * level.width + index(part.x));
            };
            narrow(line.cells, level.cells.data());
            if (mean) narrow(line.weights, level.weights.data());
        }
    });
}

const LevelOfDetail::Level& LevelOfDetail::level(std::size_t n) const {
    Level& level = levels_[n - 1];
    if (!level.made) {
        level.cells.resize(level.height * level.width);
        if (reduction_ == Reduction::mean) level.weights.resize(level.cells.size());
        reduce(n, {0, 0, whole(level.width), whole(level.height)});
        level.made = true;
    }
    return level;
}

void LevelOfDetail::maskChanged(const PixelRect& where) {
    const std::int64_t left = std::max<std::int64_t>(where.x, 0), top = std::max<std::int64_t>(where.y, 0);
    const std::int64_t right = std::min(where.x + where.width, whole(width_));
    const std::int64_t bottom = std::min(where.y + where.height, whole(height_));
    if (left >= right || top >= bottom) return;
    for (std::size_t n = 1; n < levels(); ++n) {
        if (!made(n)) continue;
        const std::int64_t x = left >> n, y = top >> n;
        reduce(n, {x, y, ((right - 1) >> n) + 1 - x, ((bottom - 1) >> n) + 1 - y});
    }
}

std::size_t LevelOfDetail::levelFor(double step) const {
    std::size_t n = 0;
    while (n + 1 < levels() && static_cast<double>(std::size_t{2} << n) <= step) ++n;
    return n;
}

std::size_t LevelOfDetail::bytes() const {
    std::size_t n = 0;
    for (const Level& level : levels_) n += level.cells.capacity() + level.weights.capacity();
    return n * sizeof(float);
}

double LevelOfDetail::raw(std::size_t row, std::size_t column) const {
    return visit_element(frame_->type(), [&]<class T>(T) {
        return static_cast<double>(frame_->as<T>()[row * width_ + column]);
    });
}

bool LevelOfDetail::masked(std::size_t row, std::size_t column) const {
    return ignore_ && (*ignore_)[row * width_ + column] != 0;
}

bool LevelOfDetail::valid(std::size_t row, std::size_t column) const {
    if (masked(row, column)) return false;
    return visit_element(frame_->type(),
                         [&]<class T>(T) { return isValidPixel(frame_->as<T>()[row * width_ + column]); });
}

std::vector<double> LevelOfDetail::sample(std::size_t maximum) const {
    std::vector<double> values;
    if (!frame_) return values;
    const std::size_t n = frame_->size();
    // An odd stride visits all columns, even if the width of the frame is a power of two.
    std::size_t stride = std::max<std::size_t>(1, (n + maximum - 1) / std::max<std::size_t>(maximum, 1));
    if (stride > 1) stride |= 1;
    values.resize((n + stride - 1) / stride);
    visit_element(frame_->type(), [&]<class T>(T) {
        const auto pixels = frame_->as<T>();
        // Each pixel is far from the previous one, so the loop waits for memory.
        inParts(values.size(), 1 << 13, [&](std::size_t first, std::size_t end) {
            for (std::size_t k = first; k < end; ++k) {
                const std::size_t i = k * stride;
                const bool good = (!ignore_ || !(*ignore_)[i]) && isValidPixel(pixels[i]);
                values[k] = good ? static_cast<double>(pixels[i]) : std::numeric_limits<double>::quiet_NaN();
            }
        });
    });
    std::erase_if(values, [](double value) { return std::isnan(value); });
    return values;
}

std::pair<double, double> LevelOfDetail::extremes() const {
    const double none = std::numeric_limits<double>::quiet_NaN();
    std::pair<double, double> found(none, none);
    if (!frame_) return found;
    std::mutex guard;
    visit_element(frame_->type(), [&]<class T>(T) {
        const auto pixels = frame_->as<T>();
        inParts(pixels.size(), minPixels, [&](std::size_t first, std::size_t end) {
            T low = std::numeric_limits<T>::max(), high = std::numeric_limits<T>::lowest();
            for (std::size_t i = first; i < end; ++i) {
                if ((ignore_ && (*ignore_)[i] != 0) || !isValidPixel(pixels[i])) continue;
                low = std::min(low, pixels[i]);
                high = std::max(high, pixels[i]);
            }
            if (low > high) return;
            const std::lock_guard lock(guard);
            found.first = std::fmin(found.first, static_cast<double>(low));
            found.second = std::fmax(found.second, static_cast<double>(high));
        });
    });
    return found;
}

double LevelOfDetail::largest() const {
    const double none = std::numeric_limits<double>::quiet_NaN();
    if (reduction_ != Reduction::max) return none;
    for (std::size_t n = levels(); n-- > 1;) {
        if (!made(n)) continue;
        const std::vector<float>& cells = levels_[n - 1].cells;
        const float maximum = *std::max_element(cells.begin(), cells.end());
        return maximum == invalid ? none : static_cast<double>(maximum);
    }
    return none;
}

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
