#pragma once

#include <cstddef>
#include <utility>
#include <vector>

#include "core/xpcs/problem.h"

namespace ks::xpcs {

/// g2 and its error of one bin by any estimate, from the frames in plain loops, for the check. It shares the
/// definition with the variants, but no code that computes it.
class DirectEstimate {
  public:
    DirectEstimate(const CorrelationProblem& problem, std::size_t bin);
    /// How often at() multiplies all counts of its pairs, at most.
    static double passes(const Estimate& estimate);
    /// NaN where undefined.
    std::pair<double, double> at(std::size_t delay) const;

  private:
    using Pixels = std::vector<std::size_t>;
    /// Per pair of used frames: G, S(t), S(t + delay).
    struct Pair {
        double g, s1, s2;
    };
    std::vector<Pair> pairs(const Pixels& pixels, std::size_t delay) const;
    static double g2(const std::vector<Pair>& pairs, double n, Estimator estimator);
    double g2_of_bin(std::size_t delay) const;
    double published_error(std::size_t delay) const;
    double error_of_groups(std::size_t delay) const;
    double error_of_blocks(std::size_t delay) const;
    /// How much each pair moves g2.
    std::vector<double> influences(std::size_t delay) const;

    const CorrelationProblem& problem_;
    std::size_t n_, frames_;
    std::vector<double> counts_;   ///< [frame][pixel]
    std::vector<Pixels> statics_;  ///< the pixels of each static bin, or all
};

}  // namespace ks::xpcs
