#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/base/array.h"
#include "core/data/geometry.h"

namespace ks {

/// Concentric rings in pixels: bin k (1..n) covers r in [r0 + (k-1) width, r0 + k width).
struct Rings {
    double x = 0, y = 0;  ///< centre, pixel
    double r0 = 0;        ///< inner radius of the first ring, pixel
    double width = 1;     ///< pixel
    std::size_t n = 1;

    /// Parses "X,Y,R0,WIDTH,N"; X and Y may both be the word `beam`, which is then taken from `geometry`.
    /// Throws ks::Error(input) naming what is wrong.
    static Rings parse(const std::string& text, const std::optional<Geometry>& geometry = std::nullopt);
    std::string to_string() const;
};

/// The position of a bin. NaN if unknown.
struct BinMeaning {
    double q;    ///< 1/angstrom, mean over the bin
    double phi;  ///< degrees; NaN where the pixels lie all around the beam
};

/// The maximum number of bins of a partition.
inline constexpr std::size_t max_bins = 1'000'000;

/// An integer label per pixel, [y][x]: 0 is ignored, labels 1..bins() are bins; gaps and empty bins are
/// allowed. Bin b (label b + 1) consists of pixels()[offsets()[b] .. offsets()[b + 1]), linear indices y *
/// width + x, ascending. Copies and parts share their pixels.
class QPartition {
  public:
    /// Throws ks::Error(input) for negative labels or a size other than height * width; `where`
    /// names the source.
    QPartition(std::size_t height, std::size_t width, std::vector<std::int32_t> labels,
               const std::string& where = {});
    /// The same with a given number of bins. It may exceed the highest label: empty bins at the end are kept.
    /// Also throws ks::Error(input) for labels above the number of bins.
    QPartition(std::size_t height, std::size_t width, std::vector<std::int32_t> labels, std::size_t bins,
               const std::string& where = {});
    /// Any integer array of rank 2 (or floats that hold integers). Throws ks::Error(input).
    static QPartition from_array(const Array& labels, const std::string& where);
    static QPartition from_rings(std::size_t height, std::size_t width, const Rings& rings);

    std::size_t height() const { return height_; }
    std::size_t width() const { return width_; }
    /// Highest label, empty bins included.
    std::size_t bins() const { return offsets_.size() - 1; }
    /// The labels of all pixels. A part computes them on the first call; label() does not need them.
    const std::vector<std::int32_t>& labels() const;
    std::int32_t label(std::size_t pixel) const {
        const std::size_t bin = static_cast<std::size_t>(whole_->labels[pixel]) - first_bin_ - 1;
        return bin < bins() ? static_cast<std::int32_t>(bin + 1) : 0;
    }
    const std::vector<std::uint32_t>& offsets() const { return offsets_; }
    std::span<const std::uint32_t> pixels() const {
        return std::span(whole_->pixels).subspan(first_pixel_, selected());
    }
    std::size_t bin_size(std::size_t bin) const { return offsets_[bin + 1] - offsets_[bin]; }
    /// Number of pixels that are in bins.
    std::size_t selected() const { return offsets_.back(); }
    /// If this is a part: pixels() of the whole, and the index there at which the pixels of the part begin.
    std::span<const std::uint32_t> pixels_of_whole() const { return whole_->pixels; }
    std::size_t first_pixel() const { return first_pixel_; }

    /// The same bins (same number) without the pixels for which drop[pixel] is nonzero.
    QPartition without(const std::vector<std::uint8_t>& drop) const;
    /// Removes those pixels from this partition.
    void leave_out(const std::vector<std::uint8_t>& drop);

    /// Only bins [first, end), as bins 0 .. end - first.
    QPartition part(std::size_t first, std::size_t end) const;

    /// Mean q and azimuth per bin; NaN for empty bins or if the geometry is incomplete.
    std::vector<BinMeaning> meanings(const Geometry& geometry) const;

  private:
    struct Whole {
        std::vector<std::int32_t> labels;
        std::vector<std::uint32_t> pixels;
    };
    struct OwnLabels {
        std::once_flag once;
        std::vector<std::int32_t> labels;
    };
    void take(std::vector<std::int32_t> labels, std::size_t bins);
    bool is_part() const { return first_bin_ > 0 || selected() < whole_->pixels.size(); }

    std::size_t height_, width_;
    std::vector<std::uint32_t> offsets_;
    std::shared_ptr<const Whole> whole_;
    std::size_t first_bin_ = 0, first_pixel_ = 0;  ///< of the whole
    std::shared_ptr<OwnLabels> own_ = std::make_shared<OwnLabels>();
};

}  // namespace ks
