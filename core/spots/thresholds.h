#pragma once

#include <cstdint>
#include <vector>

namespace ks::spots {

enum class Algorithm { dispersion, dispersion_extended };
/// What masked and other invalid pixels are for the erosion of dispersion_extended. newer: neither signal nor
/// background, so they erode nothing (DIALS from 3.24 on). older: background, so a pixel whose distance to
/// one of them is below the smaller half-width is not signal (DIALS up to 3.23).
enum class ExtendedRule { newer, older };

/// Counts from here on are not included in window sums, as in DIALS.
inline constexpr double sums_limit = 16777216.0;

/// The definition of signal pixels. Window half-widths in pixels: a window has (2 kernel_x + 1)(2 kernel_y +
/// 1) pixels and is clipped at the border of the image.
struct Thresholds {
    Algorithm algorithm = Algorithm::dispersion;
    int kernel_x = 3, kernel_y = 3;  ///< 1 .. largest_kernel
    double sigma_b = 6;              ///< for the index of dispersion, >= 0
    double sigma_s = 3;              ///< for the pixel above the mean of its window, >= 0
    int min_local = 2;               ///< required number of valid pixels in a window, >= 2
    double global_threshold = 0;     ///< counts; signal is above it
    double gain = 1;                 ///< counts per photon, > 0
    ExtendedRule extended_rule = ExtendedRule::newer;

    static constexpr int largest_kernel = 15;
    /// Number of pixels in a full window.
    int window() const { return (2 * kernel_x + 1) * (2 * kernel_y + 1); }
    bool operator==(const Thresholds&) const = default;
};

/// The two tests of a window with m valid pixels, x = sum p and y = sum p^2 (Winter et al. 2018, as
/// DIALS defines them):
///   dispersed: x >= 0 and m y - x^2 - x (m - 1) > x sigma_b sqrt(2 (m - 1)),
///              with a gain g other than 1: x >= 0 and m y - x^2 > g x (m - 1 + sigma_b sqrt(2 (m - 1)))
///   strong:    m p - x > sigma_s sqrt(g x m)
/// Sums exclude counts from sums_limit on; x may be below 0 if counts are floats. The left sides for integer
/// counts are exact integers, rounded to double once; the right sides are evaluated in double from left to
/// right as written below, without contraction. That settles every tie, so any implementation of these rules
/// gives the same bits. Sums of floats are in double, each row of the window from left to right, then the row
/// sums from top to bottom.
class DispersionTest {
  public:
    explicit DispersionTest(const Thresholds& thresholds);

    __extension__ typedef unsigned __int128 Wide;
    bool dispersed(std::uint32_t m, std::uint64_t x, Wide y) const;
    bool dispersed(std::uint32_t m, double x, double y) const;
    bool strong(std::uint32_t m, std::uint64_t x, std::uint32_t p) const;
    bool strong(std::uint32_t m, double x, double p) const;

    /// sigma_b sqrt(2 (m - 1)) for m from 0 to the full window; 0 for m = 0.
    const std::vector<double>& noise() const { return noise_; }
    /// For integer counts: a window whose largest count does not exceed this is never dispersed, whatever m
    /// is.
    std::uint32_t never_dispersed() const { return never_; }

  private:
    bool beyond(double excess, double spread, std::uint32_t m, double x) const;

    double sigma_s_, gain_;
    std::vector<double> noise_;
    std::uint32_t never_;
};

}  // namespace ks::spots
