#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <vector>

#include "core/base/array.h"
#include "core/data/regions/pixel_region.h"

namespace ks::ui {

/// What a cell shows of the valid pixels below it. With `max` no single bright pixel ever disappears, with
/// `min` no dark one; `mean` shows weak structure.
enum class Reduction { max, mean, min };

/// A frame at 1/2, 1/4, ... of its size. A cell of a square without a valid pixel holds `invalid`. Invalid
/// are NaN, infinite and negative integer pixels and those of the mask. A level is made when it is first
/// needed, from the next finer one that there is; several threads share the work, but the object itself
/// belongs to one thread.
class LevelOfDetail {
  public:
    /// Below every valid value, so that the larger of two is always the right one.
    static constexpr float invalid = std::numeric_limits<float>::lowest();
    static constexpr float outside = -std::numeric_limits<float>::infinity();

    /// Level `n`: cells of 2^n x 2^n pixels, [row][column].
    struct Level {
        std::size_t height = 0, width = 0;
        bool made = false;
        std::vector<float> cells;    ///< largest value; min: largest of the negated values; mean: sum
        std::vector<float> weights;  ///< mean: number of valid pixels
    };

    /// One byte a pixel, [y][x]; anything but 0: ignore.
    using Ignore = std::shared_ptr<const std::vector<std::uint8_t>>;

    /// A picture of rows x columns cells: cell (r, c) covers the pixels x0 + c * step to x0 + (c + 1) * step,
    /// and likewise y.
    struct Grid {
        double x0 = 0, y0 = 0, step = 1;
        std::size_t rows = 0, columns = 0;
        bool operator==(const Grid&) const = default;
    };

    LevelOfDetail() = default;
    /// @param frame rank 2, [y][x]. Throws ks::Error(run) for another rank or a mask of another size.
    LevelOfDetail(std::shared_ptr<const Array> frame, Ignore ignore = nullptr);

    /// As the constructor, but keeps reduction and memory; nothing has changed where it throws.
    void set(std::shared_ptr<const Array> frame, Ignore ignore);
    void setReduction(Reduction reduction);
    Reduction reduction() const { return reduction_; }
    /// The mask's bytes are others in this part.
    void maskChanged(const PixelRect& where);

    bool empty() const { return !frame_; }
    std::size_t height() const { return height_; }
    std::size_t width() const { return width_; }
    std::size_t levels() const { return levels_.size() + 1; }
    /// Level 1, 2, ...; level 0 is the frame itself. Made here if need be.
    const Level& level(std::size_t n) const;
    bool made(std::size_t n) const { return n == 0 || levels_[n - 1].made; }
    /// The coarsest level with cells of at most `step`: several of them fall on one cell of a picture, never
    /// one on none.
    std::size_t levelFor(double step) const;
    /// Bytes held beside the frame.
    std::size_t bytes() const;

    /// The pixel as it is, without regard to mask and validity.
    double raw(std::size_t row, std::size_t column) const;
    bool valid(std::size_t row, std::size_t column) const;
    bool masked(std::size_t row, std::size_t column) const;

    /// Draws the frame into out[row][column]: the reduced valid pixels where a cell covers several, `invalid`
    /// where none is valid, `outside` outside of the frame.
    void resample(const Grid& grid, std::vector<float>& out) const;
    /// Only these cells of a picture that is already drawn.
    void resample(const Grid& grid, const PixelRect& part, std::vector<float>& out) const;
    /// The cells of a picture that can change with these pixels.
    PixelRect touched(const Grid& grid, const PixelRect& pixels) const;

    /// Valid pixels for percentiles: all of them in frames of up to `most` pixels, else about so many of
    /// evenly strided ones.
    std::vector<double> sample(std::size_t maximum = std::size_t{1} << 16) const;
    /// Largest cell of the coarsest level that is made: the frame's largest valid value (max). NaN where
    /// there is no such level, no valid pixel, or another reduction.
    double largest() const;

  private:
    /// Cells of one row while rows and then neighbours are put together.
    struct Line {
        std::vector<float> cells, weights;
        Line(std::size_t n, bool mean) : cells(n), weights(mean ? n : 0) {}
    };
    /// Puts row `row` of level n, cells [from, to), to those of the earlier rows.
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
