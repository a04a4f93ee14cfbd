#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/base/progress.h"
#include "core/particles/problem.h"
#include "core/run/run.h"

namespace ks::particles {

/// What sums may be off at most, relative to the largest of them and to the terms of their own target. Beyond
/// it they are wrong, whatever rounding coordinates and weights explains.
constexpr double acceptable_loss = 1e-4;

/// How far sums are from the double reference.
struct SumErrors {
    std::size_t targets = 0;   ///< compared
    double absolute = 0;       ///< largest |f - reference| of the potentials
    double relative = 0;       ///< largest |f - reference| / |reference| of those that are `distinct`
    std::size_t distinct = 0;  ///< potentials whose reference is above the rounding of its own sum
    double gradient = 0;       ///< largest |f - reference| of the gradients
    double scaled = 0;         ///< largest |f - reference| / ExactSum::scale of all
    double of_terms = 0;       ///< largest |f - reference| / ExactSum::terms of all
    std::size_t worst = 0;     ///< target of the largest scaled error
    std::size_t stem = 0;      ///< and which of stems_of()
    /// Of each of stems_of() the largest |f - reference| that is above what the precision calls nothing, and
    /// the largest |reference|, of gradients of any derivative.
    std::vector<double> errors = {}, largest = {};

    /// The largest error of a stem, relative to the largest of its sums.
    double of_largest() const;
};
/// Of all that is summed at every `step`-th target. @param sums as sums_of() gives them
SumErrors compare_sums(const SumProblem& problem, const Array& sums, std::size_t step, Progress& progress);

/// Compares all sums with the reference, or some of them evenly over the targets (2e7 pairs, 64 targets at
/// least). The tolerance of the scaled error is 2e-6 for f32, 1e-12 for f64, or the variant's own
/// ("potential"); and no error may be above `acceptable_loss` of the largest sum or of the terms of its
/// target. Of a variant that approximates, the relative_errors() of the sums are compared with the tolerance
/// that was asked for. The verdict's place is the "target".
Verdict check_sums(const SumProblem& problem, const Run& run, CheckMode mode, Progress& progress);

}  // namespace ks::particles
