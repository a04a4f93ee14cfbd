#include "ui/image/level_of_detail.h"

#include <algorithm>
#include <cmath>
#include <type_traits>

#include "core/run/error.h"

namespace ks::ui {
namespace {

template <class T>
bool isValid(T value) {
    if constexpr (std::is_floating_point_v<T>)
        return std::isfinite(value);
    else if constexpr (std::is_signed_v<T>)
        return value >= 0;
    else
        return true;
}

template <class T>
float cell(T value) {
    if constexpr (std::is_same_v<T, double>) {
        constexpr double most = std::numeric_limits<float>::max();
        value = std::clamp(value, -most, most);
    }
    return isValid(value) ? static_cast<float>(value) : LevelOfDetail::invalid;
}

/// Pixels [from, to) of a row as cells.
template <class T>
void convert(const T* row, const std::uint8_t* ignore, std::size_t from, std::size_t to, float* out) {
    for (std::size_t i = from; i < to; ++i) out[i - from] = cell(row[i]);
    if (!ignore) return;
    for (std::size_t i = from; i < to; ++i) {
        if (ignore[i]) out[i - from] = LevelOfDetail::invalid;
    }
}

void raise(float* to, const float* by, std::size_t n) {
    for (std::size_t i = 0; i < n; ++i) to[i] = std::max(to[i], by[i]);
}

/// Halves one row that already holds the larger of two rows.
void halve(const float* row, std::size_t width, float* out) {
    for (std::size_t i = 0; i < width / 2; ++i) out[i] = std::max(row[2 * i], row[2 * i + 1]);
    if (width % 2) out[width / 2] = row[width - 1];
}

/// First cell whose centre lies at or right of `edge`: so every cell belongs to exactly one interval.
std::ptrdiff_t firstCell(double edge) {
    return static_cast<std::ptrdiff_t>(std::ceil(edge - 0.5));
}

/// Cells [first, last) for each of n output cells; beside each other where they are smaller than those, else
/// the one below the centre.
struct Range {
    std::ptrdiff_t first, last;
};
std::vector<Range> ranges(double start, double step, std::size_t n, std::size_t length) {
    std::vector<Range> ranges(n);
    const auto end = static_cast<std::ptrdiff_t>(length);
    for (std::size_t i = 0; i < n; ++i) {
        const double edge = start + static_cast<double>(i) * step;
        Range range{firstCell(edge), firstCell(edge + step)};
        if (range.first == range.last) {
            range.first = static_cast<std::ptrdiff_t>(std::floor(edge + step / 2));
            range.last = range.first + 1;
        }
        ranges[i] = {std::clamp<std::ptrdiff_t>(range.first, 0, end),
                     std::clamp<std::ptrdiff_t>(range.last, 0, end)};
    }
    return ranges;
}

}  // namespace

LevelOfDetail::LevelOfDetail(std::shared_ptr<const Array> frame, Ignore ignore)
    : frame_(std::move(frame)), ignore_(std::move(ignore)) {
    if (!frame_) return;
    if (frame_->rank() != 2) {
        throw Error(ErrorKind::run,
                    "a frame has 2 dimensions, this array has " + std::to_string(frame_->rank()));
    }
    height_ = frame_->shape()[0];
    width_ = frame_->shape()[1];
    if (ignore_ && ignore_->size() != height_ * width_) {
        throw Error(ErrorKind::run, "the mask has " + std::to_string(ignore_->size()) +
                                        " pixels, the frame " + std::to_string(height_) + " x " +
                                        std::to_string(width_));
    }
    std::vector<float> upper, lower;
    for (std::size_t h = height_, w = width_; h > 1 || w > 1; h = (h + 1) / 2, w = (w + 1) / 2) {
        Level level{(h + 1) / 2, (w + 1) / 2, {}};
        level.cells.resize(level.height * level.width);
        upper.resize(w);
        lower.resize(w);
        for (std::size_t r = 0; r < level.height; ++r) {
            const bool pair = 2 * r + 1 < h;
            if (reduced_.empty()) {
                visit_element(frame_->type(), [&]<class T>(T) {
                    const T* row = frame_->as<T>().data() + 2 * r * w;
                    const std::uint8_t* skip = ignore_ ? ignore_->data() + 2 * r * w : nullptr;
                    convert(row, skip, 0, w, upper.data());
                    if (pair) convert(row + w, skip ? skip + w : nullptr, 0, w, lower.data());
                });
            } else {
                const float* row = reduced_.back().cells.data() + 2 * r * w;
                std::copy(row, row + w, upper.data());
                if (pair) std::copy(row + w, row + 2 * w, lower.data());
            }
            if (pair) raise(upper.data(), lower.data(), w);
            halve(upper.data(), w, level.cells.data() + r * level.width);
        }
        reduced_.push_back(std::move(level));
    }
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
                         [&]<class T>(T) { return isValid(frame_->as<T>()[row * width_ + column]); });
}

void LevelOfDetail::resample(double x0, double y0, double step, std::size_t rows, std::size_t columns,
                             std::vector<float>& out) const {
    out.assign(rows * columns, outside);
    if (!frame_ || height_ == 0 || width_ == 0) return;
    // Cells of at most one step: several of them fall on one output cell, never one on none.
    std::size_t n = 0;
    while (n + 1 < levels() && static_cast<double>(std::size_t{2} << n) <= step) ++n;
    const double size = static_cast<double>(std::size_t{1} << n);
    const std::size_t h = n ? level(n).height : height_, w = n ? level(n).width : width_;
    const std::vector<Range> down = ranges(y0 / size, step / size, rows, h);
    const std::vector<Range> along = ranges(x0 / size, step / size, columns, w);

    std::ptrdiff_t from = static_cast<std::ptrdiff_t>(w), to = 0;
    for (const Range& range : along) {
        if (range.first >= range.last) continue;
        from = std::min(from, range.first);
        to = std::max(to, range.last);
    }
    if (from >= to) return;
    const auto first = static_cast<std::size_t>(from), count = static_cast<std::size_t>(to - from);
    std::vector<float> largest(count), next(count);
    const auto fetch = [&](std::size_t row, std::vector<float>& into) {
        if (n) {
            std::copy_n(level(n).cells.data() + row * w + first, count, into.data());
            return;
        }
        visit_element(frame_->type(), [&]<class T>(T) {
            convert(frame_->as<T>().data() + row * w, ignore_ ? ignore_->data() + row * w : nullptr, first,
                    first + count, into.data());
        });
    };
    Range held{-1, -1};
    for (std::size_t r = 0; r < rows; ++r) {
        if (down[r].first >= down[r].last) continue;
        float* line = out.data() + r * columns;
        if (down[r].first == held.first && down[r].last == held.last) {
            std::copy(line - columns, line, line);
            continue;
        }
        held = down[r];
        fetch(static_cast<std::size_t>(held.first), largest);
        for (std::ptrdiff_t k = held.first + 1; k < held.last; ++k) {
            fetch(static_cast<std::size_t>(k), next);
            raise(largest.data(), next.data(), count);
        }
        for (std::size_t c = 0; c < columns; ++c) {
            for (std::ptrdiff_t k = along[c].first; k < along[c].last; ++k) {
                line[c] = std::max(line[c], largest[static_cast<std::size_t>(k - from)]);
            }
        }
    }
}

std::vector<double> LevelOfDetail::sample(std::size_t most) const {
    std::vector<double> values;
    if (!frame_) return values;
    const std::size_t n = frame_->size();
    // An odd stride visits all columns also of frames whose width is a power of two.
    std::size_t stride = std::max<std::size_t>(1, (n + most - 1) / std::max<std::size_t>(most, 1));
    if (stride > 1) stride |= 1;
    values.reserve(n / stride + 1);
    visit_element(frame_->type(), [&]<class T>(T) {
        const auto pixels = frame_->as<T>();
        for (std::size_t i = 0; i < n; i += stride) {
            if ((!ignore_ || !(*ignore_)[i]) && isValid(pixels[i]))
                values.push_back(static_cast<double>(pixels[i]));
        }
    });
    return values;
}

}  // namespace ks::ui
