#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "core/xpcs/correlation.h"
#include "core/xpcs/correlators/multitau.h"
#include "core/xpcs/problem.h"

namespace ks::xpcs {

/// Sums along the delays of multi-tau of one bin, from its samples. A sample of level l is a sum of 2^l
/// frames.
class MultiTauSums {
  public:
    /// @param pixels N
    MultiTauSums(const MultiTau& tau, double pixels);

    /// The next sample of a level. @param values S, the sum over all pixels, then G by steps: the sums of the
    /// products with the sample that many steps before it. Steps that the level does not have, or that reach
    /// before the first sample, are ignored. Of a sample with a frame that is left out, S is 0, and G of each
    /// pair with it.
    void take(std::size_t level, std::span<const double> values);

    const DiagonalSums& at(const MultiTau::Point& point) const {
        return sums_[point.level * tau_.channels + point.steps];
    }

  private:
    struct Level {
        std::vector<double> s;  ///< of the last samples
        std::size_t taken = 0;
    };
    MultiTau tau_;
    double pixels_;
    std::vector<DiagonalSums> sums_;  ///< [level][steps]
    std::vector<Level> levels_;
};

/// g2 and its error of all bins. @param sums by bin
Correlation correlation_of(const CorrelationProblem& problem, const MultiTau& tau,
                           std::span<const MultiTauSums> sums);

}  // namespace ks::xpcs
