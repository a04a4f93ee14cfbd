#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/base/array.h"
#include "core/data/geometry.h"

namespace ks {

/// Azimuthal mean over rings of equal width.
struct RadialProfile {
    bool in_q = false;             ///< positions are 1/angstrom, else pixels
    std::vector<double> position;  ///< centre of each ring
    std::vector<double> mean;      ///< counts per pixel; NaN if a ring has no valid pixel
    std::vector<double>
        sigma;  ///< standard deviation of the mean over the ring's pixels (ddof 1); NaN for < 2
    std::vector<std::size_t> pixels;  ///< valid pixels per ring
};

/// The ring of each pixel of a height x width image, computed once per geometry and used for many frames.
class RadialBinning {
  public:
    /// Rings of equal width from the minimum to the maximum q of the image (radius in pixels if the geometry
    /// is not complete). Throws ks::Error(input) for bins = 0 or more than 65,535.
    RadialBinning(std::size_t height, std::size_t width, const Geometry& geometry, std::size_t bins);

    std::size_t bins() const { return positions_.size(); }
    bool in_q() const { return in_q_; }
    /// The profile of a frame of rank 2, [y][x]. Negative integers, NaN, infinite values and the pixels that
    /// `ignore` marks (size of the frame, or null) are left out. Sums of integers are exact. The result has
    /// the same bytes for any number of `threads` (0: one per core). Throws ks::Error(run) for another shape.
    RadialProfile profile(const Array& frame, const std::vector<std::uint8_t>* ignore = nullptr,
                          unsigned threads = 0) const;

  private:
    std::size_t height_, width_;
    bool in_q_ = false;
    std::vector<double> positions_;
    std::vector<std::uint16_t> ring_;
};

}  // namespace ks
