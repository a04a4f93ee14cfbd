#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "core/spots/grouping/spot_record.h"
#include "core/spots/spot.h"

namespace ks::spots {

/// Whether doubles hold the sums of a spot with integer counts exactly, and held all partial sums exactly.
/// Moments about pixels of a box of size `extent`, shifted from one pixel to another, are below 4 sum
/// extent^2.
bool whole_in_doubles(double sum, double squares, double background, double extent);

/// Running sums of a spot, so that neither pixels nor frames need to be kept. Moments are taken about the
/// first pixel, so that they stay small and, for 16-bit counts, exact.
class SpotSums {
  public:
    /// A spot whose first pixel will be (frame, y, x).
    SpotSums(std::uint32_t frame, std::uint32_t y, std::uint32_t x);
    /// Spot `i` of frames grouped together.
    SpotSums(const GroupedSpots& spots, std::size_t i);

    /// Adds adjacent signal pixels, in the frame of the first pixel; in the order of y, x.
    /// @param x0 column of the first of them
    template <class T>
    void add(std::uint32_t y, std::uint32_t x0, std::span<const T> counts);
    void add_background(double sum, std::uint64_t pixels, std::uint32_t saturated);
    /// Adds the pixels of another spot that turned out to be part of this one.
    void add(const SpotSums& other);

    /// Moves the spot by this number of frames.
    void move_frames(std::uint32_t frames);
    /// x, y, frame of the first pixel.
    const std::array<std::uint32_t, 3>& first() const { return first_; }
    std::uint32_t z0() const { return z0_; }
    std::uint32_t z1() const { return z1_; }

    /// The spot without q, d and dropped.
    Spot spot() const;
    /// For integer counts: whether doubles represented all sums exactly, so that the order did not matter.
    bool exact() const;
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
    std::uint32_t saturated_ = 0;
};

template <class T>
void SpotSums::add(std::uint32_t y, std::uint32_t x0, std::span<const T> counts) {
    x0_ = std::min(x0_, x0);
    x1_ = std::max(x1_, x0 + static_cast<std::uint32_t>(counts.size()));
    y1_ = std::max(y1_, y + 1);
    const double first_dx = static_cast<double>(x0) - first_[0], dy = static_cast<double>(y) - first_[1];
    // In registers: for the compiler, the counts could alias the members.
    double sum = sum_, squares = squares_, peak = peak_;
    std::array moment{moment_[0], moment_[1]}, second{second_[0], second_[1]};
    std::size_t peak_at = counts.size();
    for (std::size_t i = 0; i < counts.size(); ++i) {
        const double count = static_cast<double>(counts[i]), dx = first_dx + static_cast<double>(i);
        const bool higher = int{n_ + i == 0} | int{count > peak};
        peak = higher ? count : peak;
        peak_at = higher ? i : peak_at;
        sum += count;
        squares += count * count;
        moment[0] += count * dx;
        moment[1] += count * dy;
        second[0] += count * dx * dx;
        second[1] += count * dy * dy;
    }
    n_ += counts.size();
    sum_ = sum, squares_ = squares, peak_ = peak;
    moment_[0] = moment[0], moment_[1] = moment[1];
    second_[0] = second[0], second_[1] = second[1];
    if (peak_at < counts.size()) peak_at_ = {first_[2], y, x0 + static_cast<std::uint32_t>(peak_at)};
}

}  // namespace ks::spots
