#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <vector>

#include "core/data/array.h"

namespace ks::ui {

/// A frame at 1/2, 1/4, ... of its size. A cell holds the largest valid pixel of its square, so no single
/// bright pixel ever disappears; a cell without a valid pixel holds `invalid`. Invalid are NaN, infinite and
/// negative integer pixels and those of the mask.
class LevelOfDetail {
  public:
    /// Below every valid value, so that the larger of two is always the right one.
    static constexpr float invalid = std::numeric_limits<float>::lowest();
    static constexpr float outside = -std::numeric_limits<float>::infinity();

    /// Level `n`: cells of 2^n x 2^n pixels, [row][column].
    struct Level {
        std::size_t height = 0, width = 0;
        std::vector<float> cells;
    };

    LevelOfDetail() = default;
    /// One byte a pixel, [y][x]; anything but 0: ignore.
    using Ignore = std::shared_ptr<const std::vector<std::uint8_t>>;

    /// @param frame rank 2, [y][x]. Throws ks::Error(run) for another rank or a mask of another size.
    LevelOfDetail(std::shared_ptr<const Array> frame, Ignore ignore = nullptr);

    bool empty() const { return !frame_; }
    std::size_t height() const { return height_; }
    std::size_t width() const { return width_; }
    std::size_t levels() const { return reduced_.size() + 1; }
    /// Level 1, 2, ...; level 0 is the frame itself.
    const Level& level(std::size_t n) const { return reduced_[n - 1]; }

    /// The pixel as it is, without regard to mask and validity.
    double raw(std::size_t row, std::size_t column) const;
    bool valid(std::size_t row, std::size_t column) const;
    bool masked(std::size_t row, std::size_t column) const;

    /// Draws the frame into out[row][column] of rows x columns cells: cell (r, c) covers the pixels x0 + c *
    /// step to x0 + (c + 1) * step and likewise y; the largest valid pixel where it covers several, `invalid`
    /// where none is valid, `outside` outside of the frame.
    void resample(double x0, double y0, double step, std::size_t rows, std::size_t columns,
                  std::vector<float>& out) const;
    /// Valid pixels for percentiles: all of them in frames of up to `most` pixels, else about so many of
    /// evenly strided ones.
    std::vector<double> sample(std::size_t most = std::size_t{1} << 18) const;

  private:
    std::shared_ptr<const Array> frame_;
    Ignore ignore_;
    std::size_t height_ = 0, width_ = 0;
    std::vector<Level> reduced_;
};

}  // namespace ks::ui
