#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "core/xpcs/correlators/transform.h"
#include "core/xpcs/problem.h"

namespace ks::xpcs {

/// g2 at all delays from power spectra. Pairs of pixels of a bin are complex series Z, filled with zeros.
class PowerCurves {
  public:
    /// @param transform of at least frames + delays; both must outlive this
    PowerCurves(const CorrelationProblem& problem, const Transform& transform)
        : problem_(problem), transform_(transform), frames_(problem.frames()) {}

    /// Safe from any thread. Whole sums of products are rounded to integers where that makes them exact.
    /// @param power sum of |Z|^2 over the pairs, at each frequency
    /// @param sums S by frame
    /// @param additions that made each value of `power`, at most
    /// @param g2 receives one value per delay
    /// @returns whether the sums of products are exact
    bool add(std::size_t bin, const std::vector<double>& power, const std::vector<double>& sums,
             std::size_t additions, std::span<double> g2) const;

  private:
    /// Products of frame sums are summed directly up to this number of frames, beyond by transforms.
    static constexpr std::size_t direct_frames = 4096;

    /// @returns sums of products by delay, not scaled by the length
    Transform::Values<double> autocorrelation(const std::vector<double>& power) const;
    /// Sums over t of S(t) S(t + delay); 0 where every product is 0.
    std::vector<double> products_of_sums(const std::vector<double>& sums) const;
    /// Sums over t of a(t) b(t + delay) + b(t) a(t + delay), not scaled: |A + B|^2 - |A|^2 - |B|^2.
    Transform::Values<double> of_two(const std::vector<double>& a, const std::vector<double>& b) const;

    const CorrelationProblem& problem_;
    const Transform& transform_;
    std::size_t frames_;
};

/// Number of bins that have pixels.
std::size_t bins_with_pixels(const CorrelationProblem& problem);

}  // namespace ks::xpcs
