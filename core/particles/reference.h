#pragma once

#include <cstddef>
#include <cstdint>

#include "core/particles/problem.h"
#include "core/run/host_backend.h"

namespace ks::particles {

/// One target's sum in double, term by term from the formulas, added with compensation (Neumaier 1974).
struct ExactSum {
    double re = 0, im = 0;
    std::uint64_t skipped = 0;  ///< sources at r = 0 of a singular kernel
    /// What an error of this sum is to be measured in: sum of |c| (|g| + |dg/dr| L), L half the extent of the
    /// coordinates: how far the sum moves, relative to the error, where coordinates and terms are off by a
    /// relative error of the precision.
    double scale = 0;
};
ExactSum exact_sum(const SumProblem& problem, std::size_t target);

/// host.reference: all sums so, on all threads.
Result run_reference(const SumProblem& problem, HostContext& context);

}  // namespace ks::particles
