#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "core/base/progress.h"
#include "core/particles/problem.h"
#include "core/particles/treecode/accuracy.h"
#include "core/particles/treecode/treecode_result.h"
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

/// Splits by targets. Parts begin at multiples of the group sizes of all kernels, because the sum at a target
/// may depend on which targets are in the same group, if a source lies on one of them.
ShareUnits units_of(const SumProblem& problem);
std::shared_ptr<const Problem> part_of(const std::shared_ptr<const SumProblem>& whole, std::size_t first,
                                       std::size_t end);
/// to_result() for a part: the dataset "sums" [row][target] and the fact skipped_pairs.
Result part_result(const Array& values, std::uint64_t skipped);
/// to_result() for the sums of all parts.
Result joined_sums(const SumProblem& whole, std::vector<PartResult> parts, std::vector<Timing>& timings);

/// HDF5: the datasets of the result (to_result()) in /entry/data, in double, with the axes. Those of each
/// plane are linked in /entry/xy, /entry/xz and /entry/yz, so that each is an NXdata with its own axes. At
/// points, the coordinates are x, y and z in /entry/targets, with links to the sums. The file also holds the
/// record of the run.
void write_run(const Run& run, const std::filesystem::path& out, bool overwrite, Progress& progress);
/// CSV: one row per target. Columns are plane,i,j,x,y,z on planes, i,j,k,x,y,z on a grid, index,x,y,z at
/// points (only index for runs saved without the coordinates of their targets); then the values in the order
/// of the result: value for potential, value_2 for potential_2, and so on, gradients under their own names;
/// for complex sums two columns each, with _re and _im.
void write_table(const Run& run, const std::filesystem::path& out, bool overwrite, Progress& progress);
/// Throws ks::Error(input) if the file holds no particle run.
Run read_run(const std::filesystem::path& file);

/// Maximum number of points in a leaf of host.treecode.
constexpr std::size_t host_leaf = 128;

/// host.treecode: the plan of a treecode, with the loops of host.vector for pairs.
Result run_treecode(const SumProblem& problem, HostContext& context);

/// The sums alone, at any accuracy. @param leaf maximum number of points in a leaf
TreecodeSums treecode_sums(const SumProblem& problem, const Accuracy& accuracy, std::size_t leaf,
                           HostContext& context);

}  // namespace ks::particles
