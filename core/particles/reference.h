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
    /// gradient, L half the extent of the coordinates: how far the sum moves, relative to the error, where
    /// coordinates and terms are off by a relative error of the precision.
    double scale = 0;
};
struct ExactSums {
    std::vector<ExactSum> of;   ///< [vector][quantity]
    std::uint64_t skipped = 0;  ///< sources at r = 0 of a singular kernel
};
/// The sums of one target.
ExactSums exact_sums(const SumProblem& problem, std::size_t target);

/// host.reference: all sums so, on all threads.
Result run_reference(const SumProblem& problem, HostContext& context);

}  // namespace ks::particles
