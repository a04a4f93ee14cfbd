#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "core/base/progress.h"
#include "core/particles/problem.h"
#include "core/run/analysis.h"
#include "core/run/host_backend.h"
#include "core/run/request.h"
#include "core/run/run.h"
#include "core/run/variant.h"

namespace ks::particles {

/// Particle sums: f(x_i) = sum_j g(x_i, y_j) c_j.
std::vector<Analysis> make_analyses();
/// host.reference, host.vector and host.treecode.
std::vector<HostVariant> host_variants();

/// Reads sources, and targets if given; reuses what `previous` holds of unchanged files.
/// @param request with complete parameters. Throws ks::Error(input).
std::shared_ptr<const SumProblem> load_problem(const Request& request, Progress& progress,
                                               std::shared_ptr<const Problem> previous);

/// A few lines for the terminal: sum and range of each plane, pairs and their rate, and for a variant that
/// approximates the requested and the reached error.
std::string summary_of(const Run& run);
/// "rbf, width 0.1", "helmholtz, k 10", "laplace, to 0.0001" for a treecode.
std::string setup_text_of(const Run& run);

/// "kernel", "precision", "gradient" as in the parameters; "vectors" (of weights), "weights" ("real" or
/// "complex"), "targets" ("planes", "cube" or "points").
Traits traits_of(const SumProblem& problem);

/// Splits by targets. Parts begin at multiples of the group sizes of all kernels: how targets are summed may
/// depend on which ones are summed together, if a source lies on one of them.
ShareUnits units_of(const SumProblem& problem);
std::shared_ptr<const Problem> part_of(const std::shared_ptr<const SumProblem>& whole, std::size_t first,
                                       std::size_t end);
/// to_result() for a part: the dataset "sums" [row][target] and the fact skipped_pairs.
Result part_result(const Array& values, std::uint64_t skipped);
/// to_result() for the sums of all parts.
Result joined_sums(const SumProblem& whole, std::vector<PartResult> parts, std::vector<Timing>& timings);

}  // namespace ks::particles
