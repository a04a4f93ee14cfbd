#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/base/progress.h"
#include "core/data/sample.h"
#include "core/particles/problem.h"
#include "core/run/run.h"

namespace ks::particles {

/// The largest permitted error of a sum, relative to the largest sum, and also relative to the terms of its
/// own target. A sum with a larger error counts as wrong, even if the rounding of coordinates and weights
/// explains the error.
constexpr double acceptable_loss = 1e-4;

/// How far sums are from the double reference.
struct SumErrors {
    std::size_t targets = 0;    ///< compared
    double absolute = 0;        ///< largest |f - reference| of the potentials
    double relative = 0;        ///< largest |f - reference| / |reference| of the `distinct` ones
    std::size_t distinct = 0;   ///< potentials whose reference exceeds the rounding of its own sum
    double gradient = 0;        ///< largest |f - reference| of the gradients
    double scaled = 0;          ///< largest |f - reference| / ExactSum::scale of all
    double of_terms = 0;        ///< largest |f - reference| / ExactSum::terms of all
    std::size_t worst = 0;      ///< target of the largest scaled error
    std::size_t stem = 0;       ///< index of its sum in stems_of()
    std::uint64_t skipped = 0;  ///< sources at r = 0 of a singular kernel
    /// For each of stems_of(): the largest |f - reference|, without differences that are negligible in the
    /// precision, and the largest |reference|; for gradients, over all derivatives.
    std::vector<double> errors = {}, largest = {};

    /// Largest error of a stem, relative to the largest of its sums.
    double of_largest() const;
};
/// Errors of everything that is summed, at the targets of a sample. @param sums as returned by sums_of()
SumErrors compare_sums(const SumProblem& problem, const Array& sums, const Sample& sample,
                       Progress& progress);

/// Compares all sums with the reference, or those of a Sample of the targets (2e7 pairs, at least 64
/// targets). The tolerance of the scaled error is 2e-6 for f32, 1e-12 for f64, or the variant's own
/// ("potential"). In addition, no error may exceed `acceptable_loss` of the largest sum or of the terms of
/// its target. For a variant that approximates, relative_errors() of the sums are compared with the requested
/// tolerance. If all targets are compared, the number of pairs at r = 0 must be right as well. The verdict's
/// place is the "target".
Verdict check_sums(const SumProblem& problem, const Run& run, CheckMode mode, Progress& progress);

}  // namespace ks::particles
