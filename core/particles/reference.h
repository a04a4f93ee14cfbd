#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/particles/problem.h"
#include "core/run/host_backend.h"

namespace ks::particles {

/// One sum in double, term by term from the formulas, added with compensation (Neumaier 1974).
struct ExactSum {
    double re = 0, im = 0;
    /// What an error of this sum is to be measured in: sum of |c| (|h| + |dh/dr| L), h the term or its
    /// gradient, L how far source and target are from the centre of the coordinates in the mean, half of the
    /// reach at least: how far the sum moves, relative to the error, where coordinates and terms are off by a
    /// relative error of the precision.
    double scale = 0;
    /// Sum of |c| |h|; 0 where each h of an rbf is below a thousandth of its maximum, so that the sum is what
    /// is left of terms that are nothing.
    double terms = 0;
    double nothing = 0;  ///< sum of |c| times what is nothing in the precision
};
struct ExactSums {
    std::vector<ExactSum> of;   ///< [vector][quantity]
    std::uint64_t skipped = 0;  ///< sources at r = 0 of a singular kernel
};
/// How large g is at a distance, and |dg/dr|.
struct TermSizes {
    double size, slope;
};
TermSizes term_sizes(const SumSettings& settings, double r2);

/// The sums of one target.
ExactSums exact_sums(const SumProblem& problem, std::size_t target);

/// host.reference: all sums so, on all threads.
Result run_reference(const SumProblem& problem, HostContext& context);

}  // namespace ks::particles
