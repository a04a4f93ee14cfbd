#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/particles/problem.h"
#include "core/run/host_backend.h"

namespace ks::particles {

/// One sum in double, term by term from the formulas, with compensated addition (Neumaier 1974).
struct ExactSum {
    double re = 0, im = 0;
    /// Unit for errors of this sum: sum of |c| (|h| + |dh/dr| L). h is the term or its gradient, and L is the
    /// mean distance of source and target from the centre of the coordinates, but at least half the reach. If
    /// coordinates and terms have some relative error, the sum moves by about this unit times that error.
    /// With a floor per term, since products below the range of the precision have no digits.
    double scale = 0;
    /// Sum of |c| |h|; 0 if every h of an rbf is below a thousandth of its maximum, so that only negligible
    /// terms remain in the sum.
    double terms = 0;
    double nothing =
        0;  ///< sum of what counts as nothing in the precision: of |c| times such a value, and of products
};
struct ExactSums {
    std::vector<ExactSum> of;   ///< [vector][quantity]
    std::uint64_t skipped = 0;  ///< sources at r = 0 of a singular kernel
};
/// |g| and |dg/dr| at a distance.
struct TermSizes {
    double size, slope;
};
TermSizes term_sizes(const SumSettings& settings, double r2);

/// The sums of one target.
ExactSums exact_sums(const SumProblem& problem, std::size_t target);

/// host.reference: all sums computed this way, on all threads.
Result run_reference(const SumProblem& problem, HostContext& context);

}  // namespace ks::particles
