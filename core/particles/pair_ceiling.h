#pragma once

#include <optional>
#include <string>

#include "core/devices/ceilings.h"
#include "core/particles/problem.h"
#include "core/run/analysis.h"

namespace ks::particles {

/// What a device allows at most of pairs whose term is taken as it is written: each with functions of its
/// own.
struct PairCeiling {
    double pairs_per_second = 0;
    std::string unit;  ///< that is busy all the time then: "exponentials"
    std::string each;  ///< what a pair takes of it: "one exponential"
};

/// In float, from the medians of the ceilings:
///   1 / pairs_per_second = max(t_functions, t_multiply_adds)
///   t_functions      rbf 1 / exp2,  laplace 1 / rsqrt,  helmholtz 1 / rsqrt + 2 / sin (they share a unit)
///   t_multiply_adds  2 n / fma_f32, n = 2 for rbf and laplace, 4 for helmholtz
/// n is the least that a pair needs: one for r^2, where a row of targets shares the rest of it, one for each
/// of the sums (two of complex ones), and one for the phase. Nothing in double, or where a quantity was not
/// measured.
std::optional<PairCeiling> pair_ceiling(const SumSettings& settings, const Ceilings& ceilings);

/// "71 % of the ceiling of exponentials", or "1.7 x the ceiling of one exponential a pair": a variant may
/// take fewer functions than there are pairs.
std::string share_text(double pairs_per_second, const PairCeiling& ceiling);
/// Of all pairs of the problem in kernels that took so long. Nothing for a variant that approximates.
std::optional<CeilingShare> share_of_pairs(const SumProblem& problem, const Variant& variant,
                                           double kernel_nanoseconds, const Ceilings& ceilings);

}  // namespace ks::particles
