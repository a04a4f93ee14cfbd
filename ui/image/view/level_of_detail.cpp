#include "ui/image/view/level_of_detail.h"

#include <algorithm>
#include <cmath>

#include "core/base/error.h"
#include "ui/image/view/pixel_rows.h"
#include "ui/image/view/row_threads.h"

namespace ks::ui {

namespace {

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
                    "a frame must have 2 dimensions, this array has " + std::to_string(frame->rank()));
    }
    const std::size_t height = frame->shape()[0], width = frame->shape()[1];
    if (ignore && ignore->size() != height * width) {
        throw Error(ErrorKind::run, "the mask has " + std::to_string(ignore->size()) + " pixels, the frame " +
                                        std::to_string(height) + " x " + std::to_string(width));
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

}  // namespace ks::ui
