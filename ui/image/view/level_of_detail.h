#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <utility>
#include <vector>

#include "core/base/array.h"
#include "core/data/regions/pixel_region.h"

namespace ks::ui {

/// What a cell shows of the valid pixels under it. With `max` no single bright pixel ever disappears, with
/// `min` no dark one; `mean` shows weak structure.
enum class Reduction { max, mean, min };

/// A frame at 1/2, 1/4, ... of its size. Cells without a valid pixel are `invalid`. Invalid pixels are NaN,
/// infinite, negative (integer types) or masked. A level is made when it is first needed, from the next finer
/// existing one. Several threads share the work, but the object itself must be used from one thread.
class LevelOfDetail {
  public:
    /// Below every valid value, so that the maximum of two is always right.
    static constexpr float invalid = std::numeric_limits<float>::lowest();
    static constexpr float outside = -std::numeric_limits<float>::infinity();

    /// Level `n`: cells of 2^n x 2^n pixels, [row][column].
    struct Level {
        std::size_t height = 0, width = 0;
        bool made = false;
        std::vector<float> cells;    ///< maximum; min: maximum of the negated values; mean: sum
        std::vector<float> weights;  ///< mean: number of valid pixels
    };

    /// One byte per pixel, [y][x]; nonzero: ignored.
    using Ignore = std::shared_ptr<const std::vector<std::uint8_t>>;

    /// A picture of rows x columns cells: cell (r, c) covers the pixels x0 + c * step to x0 + (c + 1) * step,
    /// and likewise in y.
    struct Grid {
        double x0 = 0, y0 = 0, step = 1;
        std::size_t rows = 0, columns = 0;
        bool operator==(const Grid&) const = default;
    };

    LevelOfDetail() = default;
    /// @param frame rank 2, [y][x]. Throws ks::Error(run) for another rank or a mask of another size.
    LevelOfDetail(std::shared_ptr<const Array> frame, Ignore ignore = nullptr);

    /// As the constructor, but keeps reduction and memory; nothing changes if it throws.
    void set(std::shared_ptr<const Array> frame, Ignore ignore);
    void setReduction(Reduction reduction);
    Reduction reduction() const { return reduction_; }
    /// The mask has changed in this part.
    void maskChanged(const PixelRect& where);

    bool empty() const { return !frame_; }
    std::size_t height() const { return height_; }
    std::size_t width() const { return width_; }
    std::size_t levels() const { return levels_.size() + 1; }
    /// Level 1, 2, ...; level 0 is the frame itself. Made on demand.
    const Level& level(std::size_t n) const;
    bool made(std::size_t n) const { return n == 0 || levels_[n - 1].made; }
    /// The coarsest level with cells of at most `step`, so that each cell of a picture covers at least one
    /// of its cells.
    std::size_t levelFor(double step) const;
    /// Bytes held in addition to the frame.
    std::size_t bytes() const;

    /// The pixel's value regardless of mask and validity.
    double raw(std::size_t row, std::size_t column) const;
    bool valid(std::size_t row, std::size_t column) const;
    bool masked(std::size_t row, std::size_t column) const;

    /// Resamples the frame into out[row][column]: the reduced valid pixels where a cell covers several,
    /// `invalid` if none is valid, `outside` outside the frame.
    void resample(const Grid& grid, std::vector<float>& out) const;
    /// Only these cells of an existing picture.
    void resample(const Grid& grid, const PixelRect& part, std::vector<float>& out) const;
    /// The cells of a picture that depend on these pixels.
    PixelRect touched(const Grid& grid, const PixelRect& pixels) const;

    /// Valid pixels for percentiles: all of them in frames of up to `maximum` pixels, otherwise about that
    /// many at an even stride.
    std::vector<double> sample(std::size_t maximum = std::size_t{1} << 16) const;
    /// The smallest and the largest valid pixel; NaN if there is none.
    std::pair<double, double> extremes() const;
    /// Largest cell of the coarsest existing level: the frame's largest valid value (max). NaN without such a
    /// level, without a valid pixel, or for another reduction.
    double largest() const;

  private:
    /// Cells of one row while rows, and then neighbours, are combined.
    struct Line {
        std::vector<float> cells, weights;
        Line(std::size_t n, bool mean) : cells(n), weights(mean ? n : 0) {}
    };
    /// Combines row `row` of level n, cells [from, to), with the earlier rows.
    void gather(std::size_t n, std::size_t row, std::size_t from, std::size_t to, bool first,
                Line& into) const;
    void reduce(std::size_t n, const PixelRect& cells) const;
    std::size_t widthOf(std::size_t n) const { return n ? levels_[n - 1].width : width_; }
    std::size_t heightOf(std::size_t n) const { return n ? levels_[n - 1].height : height_; }

    std::shared_ptr<const Array> frame_;
    Ignore ignore_;
    std::size_t height_ = 0, width_ = 0;
    Reduction reduction_ = Reduction::max;
    mutable std::vector<Level> levels_;
};

}  // namespace ks::ui
