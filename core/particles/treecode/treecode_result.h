#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "core/base/array.h"
#include "core/base/progress.h"
#include "core/particles/problem.h"
#include "core/run/result.h"
#include "core/run/timing.h"
#include "core/run/variant.h"

namespace ks::particles {

/// Output of a treecode.
struct TreecodeSums {
    Array values;  ///< f32 or f64 [SumProblem::n_rows()][target]
    std::uint64_t skipped = 0;
    std::uint64_t far_pairs = 0, near_pairs = 0;  ///< of Chebyshev points, and of sources and targets
};

/// Sums in double of 50 to 256 targets, evenly spaced among all.
struct DirectSample {
    std::vector<std::size_t> targets;
    std::vector<double> sums;  ///< [SumProblem::n_rows()][target]
};
DirectSample direct_sample(const SumProblem& problem, Progress& progress);

/// The result with the error reached, estimated from the sample. Facts in addition to those of to_result():
/// tolerance, reached_error, reached_gradient_error (with gradients), error_targets, far_pairs, near_pairs. A
/// reached error above the tolerance causes a warning.
/// @param timings of the run so far
Result treecode_result(const SumProblem& problem, const TreecodeSums& sums, const DirectSample& sample,
                       const std::vector<Timing>& timings);

/// Errors as the tolerance defines them: the rms error of the sums at some targets, relative to the rms of
/// these sums; for gradients, over all three derivatives. If there are several vectors of weights, the
/// largest of their errors.
struct RelativeErrors {
    double potential = 0, gradient = 0;
    double largest() const { return potential > gradient ? potential : gradient; }
};
/// @param exact, found [row][target] in rows of SumProblem::n_rows()
RelativeErrors relative_errors(const SumProblem& problem, std::span<const double> exact,
                               std::span<const double> found, std::size_t targets);

/// The sums of some targets in double on the host, [SumProblem::n_rows()][target].
std::vector<double> direct_sums(const SumProblem& problem, const std::vector<std::size_t>& targets,
                                Progress& progress);

/// The name in Variant::tolerances for variants that compute to the accuracy of SumSettings::tolerance. The
/// value is a factor of that tolerance.
constexpr const char* asked_tolerance = "asked";
bool is_approximate(const Variant& variant);
/// The same for a built-in variant, by its id.
bool is_treecode(const std::string& id);

}  // namespace ks::particles
