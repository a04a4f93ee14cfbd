#include "ui/plots/crowd/line_raster.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>

#include "core/base/parallel.h"

namespace ks::ui {
namespace {

constexpr double farOutside = 1 << 20;  ///< pixels: a point beyond is as far as one there

/// Rounded down; the place is not farther outside than that.
int pixelOf(double place) {
    constexpr int shift = 1 << 20;
    return static_cast<int>(std::clamp(place, -farOutside, farOutside) + shift) - shift;
}

/// The picture with columns as rows, so that the pixels of a column lie together. What is set stays: lines
/// are drawn from the last one, which covers the others, to the first.
class Columns {
  public:
    explicit Columns(const QSize& size)
        : width_(size.width()),
          height_(size.height()),
          words_((size.height() + bits - 1) / bits),
          pixels_(static_cast<std::size_t>(width_) * static_cast<std::size_t>(height_), 0),
          set_(static_cast<std::size_t>(width_) * static_cast<std::size_t>(words_), 0) {}

    /// The pixels between two places of a column.
    void set(int column, double low, double high, const RasterLine& line) {
        if (line.period > 1 && column % line.period >= line.on) return;
        const int first = std::max(pixelOf(low) - line.thicker, 0),
                  last = std::min(pixelOf(high) + line.thicker, height_ - 1);
        if (first > last) return;
        std::uint64_t* const set =
            set_.data() + static_cast<std::size_t>(column) * static_cast<std::size_t>(words_);
        QRgb* const pixels = pixels_.data() + index(column);
        for (int word = first / bits; word <= last / bits; ++word) {
            std::uint64_t open = ~set[word];
            if (word == first / bits) open &= ~std::uint64_t{0} << (first % bits);
            if (word == last / bits) open &= ~std::uint64_t{0} >> (bits - 1 - last % bits);
            set[word] |= open;
            for (; open != 0; open &= open - 1) pixels[word * bits + std::countr_zero(open)] = line.colour;
        }
    }

    QImage picture() const {
        QImage image(width_, height_, QImage::Format_ARGB32_Premultiplied);
        constexpr int block = 32;
        for (int top = 0; top < height_; top += block)
            for (int left = 0; left < width_; left += block)
                for (int row = top; row < std::min(top + block, height_); ++row) {
                    auto* const to = reinterpret_cast<QRgb*>(image.scanLine(row));
                    for (int column = left; column < std::min(left + block, width_); ++column)
                        to[column] = pixels_[index(column) + static_cast<std::size_t>(row)];
                }
        return image;
    }

  private:
    std::size_t index(int column) const {
        return static_cast<std::size_t>(column) * static_cast<std::size_t>(height_);
    }

    static constexpr int bits = 64;
    int width_, height_, words_;
    std::vector<QRgb> pixels_;
    std::vector<std::uint64_t> set_;  ///< a bit per pixel, `words_` per column
};

/// One line in the columns [first, end).
class Walk {
  public:
    Walk(Columns& columns, int first, int end, const RasterLine& line)
        : columns_(columns), first_(first), end_(end), line_(line) {}

    void point(double x, double y) {
        const int column = pixelOf(x);
        if (column >= first_ && column < end_) columns_.set(column, y, y, line_);
    }

    void start(double x, double y) {
        x_ = x;
        y_ = y;
        low_ = high_ = y;
        column_ = pixelOf(x);
        begun_ = true;
    }

    /// @returns whether there may be more in these columns
    bool on(double x, double y) {
        const int column = pixelOf(x);
        if (column > column_) {
            const double slope = (y - y_) / (x - x_);
            const auto edge = [&](int at) { return y_ + slope * (static_cast<double>(at) - x_); };
            if (column_ >= first_) {
                add(edge(column_ + 1));
                flush();
            }
            const int from = std::max(column_ + 1, first_), to = std::min(column, end_);
            double before = edge(from);
            for (int at = from; at < to; ++at) {
                const double after = edge(at + 1);
                columns_.set(at, std::min(before, after), std::max(before, after), line_);
                before = after;
            }
            column_ = column;
            low_ = high_ = edge(column);
        }
        add(y);
        x_ = x;
        y_ = y;
        return column_ < end_;
    }

    void end() {
        if (begun_) flush();
        begun_ = false;
    }
    bool begun() const { return begun_; }

  private:
    void add(double y) {
        low_ = std::min(low_, y);
        high_ = std::max(high_, y);
    }
    void flush() {
        if (column_ >= first_ && column_ < end_) columns_.set(column_, low_, high_, line_);
    }

    Columns& columns_;
    int first_, end_;
    const RasterLine& line_;
    double x_ = 0, y_ = 0, low_ = 0, high_ = 0;
    int column_ = 0;
    bool begun_ = false;
};

void draw(Columns& columns, int first, int end, const RasterLine& line, const std::vector<double>& x,
          const PixelScale& y) {
    Walk walk(columns, first, end, line);
    // From the last point before these columns to the first one behind them.
    auto i = static_cast<std::size_t>(std::lower_bound(x.begin(), x.end(), first) - x.begin());
    if (i > 0) --i;
    const QVector<double>& values = *line.y;
    for (; i < x.size(); ++i) {
        const double value = values[static_cast<qsizetype>(i)];
        if (std::isnan(value)) {
            walk.end();
        } else {
            const double at = std::clamp(y(value), -farOutside, farOutside);
            if (!line.joined)
                walk.point(x[i], at);
            else if (!walk.begun())
                walk.start(x[i], at);
            else if (!walk.on(x[i], at))
                break;
        }
        if (x[i] >= end) break;
    }
    walk.end();
}

}  // namespace

double PixelScale::operator()(double value) const {
    return origin + scale * (logarithmic ? std::log(value) : value);
}

QImage rasterLines(const QSize& size, const PixelScale& x, const PixelScale& y,
                   const std::vector<RasterLine>& lines) {
    Columns columns(size);
    // Curves usually have the same x.
    std::vector<std::vector<double>> places;
    std::vector<std::size_t> placesOf;
    const QVector<double>* last = nullptr;
    for (const RasterLine& line : lines) {
        if (!last || *last != *line.x) {
            places.emplace_back();
            for (const double value : *line.x) places.back().push_back(x(value));
            last = line.x;
        }
        placesOf.push_back(places.size() - 1);
    }
    constexpr int share = 64;  ///< columns that a processor takes at a time
    const int shares = (size.width() + share - 1) / share;
    parallel_for(static_cast<std::size_t>(shares), compute_threads(), [&](std::size_t part) {
        const int first = static_cast<int>(part) * share, end = std::min(first + share, size.width());
        for (std::size_t i = lines.size(); i-- > 0;)
            draw(columns, first, end, lines[i], places[placesOf[i]], y);
    });
    return columns.picture();
}

}  // namespace ks::ui
