#pragma once

#include <array>
#include <cstdint>

#include "core/spots/spot.h"

namespace ks::spots {

/// What is known about a spot while its pixels come: a few sums, so that neither pixels nor frames are kept.
/// Moments are taken about the first pixel, so that they stay small and, for counts of 16 bits, exact.
class SpotSums {
  public:
    /// A spot that will have (frame, y, x) as its first pixel.
    SpotSums(std::uint32_t frame, std::uint32_t y, std::uint32_t x);

    /// A signal pixel of the frame of the first pixel; later ones in the order of y, x.
    void add(std::uint32_t y, std::uint32_t x, double count);
    void add_background(double sum, std::uint64_t pixels);
    /// The pixels of another spot that turned out to be this one.
    void add(const SpotSums& other);

    /// All but q, d and dropped.
    Spot spot() const;
    std::uint32_t x0() const { return x0_; }
    std::uint32_t x1() const { return x1_; }
    std::uint32_t y0() const { return y0_; }
    std::uint32_t y1() const { return y1_; }

  private:
    std::array<std::uint32_t, 3> first_;  ///< x, y, frame of the first pixel
    std::uint64_t n_ = 0;
    std::uint32_t x0_, x1_, y0_, y1_, z0_, z1_;
    double sum_ = 0, squares_ = 0;               ///< of the counts
    std::array<double, 3> moment_{}, second_{};  ///< sum p (r - first), sum p (r - first)^2
    double peak_ = 0;
    std::array<std::uint32_t, 3> peak_at_;  ///< frame, y, x
    double background_ = 0;
    std::uint64_t background_pixels_ = 0;
};

}  // namespace ks::spots
