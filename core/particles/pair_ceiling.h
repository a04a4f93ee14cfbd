#pragma once

#include <optional>
#include <string>

#include "core/devices/ceilings.h"
#include "core/particles/problem.h"
#include "core/run/analysis.h"

namespace ks::particles {

/// Upper bound of a device's pair rate if each term is computed as written: each
/// pair evaluates its own functions.
struct PairCeiling {
    double pairs_per_second = 0;
    std::string unit;  ///< unit that is then the bottleneck: "exponentials"
    std::string each;  ///< what one pair needs of it: "one exponential"
};

/// In float, from the medians of the ceilings:
///   1 / pairs_per_second = max(t_functions, t_multiply_adds)
///   t_functions      rbf 1 / exp2,  laplace 1 / rsqrt,  helmholtz 1 / rsqrt + 2 / sin (they share a unit)
///   t_multiply_adds  2 n / fma_f32, n = 2 for rbf and laplace, 4 for helmholtz
/// n is the minimum per pair: one for r^2 (a row of targets shares the rest of it), one for each sum (two for
/// complex sums), and one for the phase. Empty for double precision, or if a quantity was not measured.
std::optional<PairCeiling> pair_ceiling(const SumSettings& settings, const Ceilings& ceilings);

/// "71 % of the ceiling of exponentials", or "1.7 x the ceiling of one exponential per pair": a variant may
/// evaluate fewer functions than there are pairs.
std::string share_text(double pairs_per_second, const PairCeiling& ceiling);
/// For all pairs of the problem in the given kernel time. Empty for a variant that approximates.
std::optional<CeilingShare> share_of_pairs(const SumProblem& problem, const Variant& variant,
                                           double kernel_nanoseconds, const Ceilings& ceilings);

}  // namespace ks::particles
