#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/base/array.h"
#include "core/particles/problem.h"
#include "core/run/result.h"
#include "core/run/timing.h"

namespace ks::particles {

/// Names of what is summed, [vector][quantity]: potential, gradient_x, gradient_y, gradient_z, then
/// potential_2, gradient_2_x and so on; gradients only if requested.
std::vector<std::string> stems_of(const SumProblem& problem);

/// Positions of a result's targets.
enum class TargetKind { planes, grid, points };
/// For a result made by to_result().
TargetKind target_kind(const Result& result);

/// The result of any variant from its sums. Datasets, with STEM as returned by stems_of():
/// - on planes: the axes x, y, z f64 [side] (the coordinates along a side) and the images STEM_xy, _xz, _yz
///   [i][j] with i along the first named coordinate;
/// - on a grid: the same axes and STEM [i][j][k] along x, y and z;
/// - at points: STEM [target], and target_x, target_y, target_z f64 [target], their coordinates;
/// - for complex sums two of each, NAME_re and NAME_im.
/// Facts: sources, targets, weight_vectors, pairs, skipped_pairs, pairs_per_second (relative to the time of
/// the kernels, on the host to that of its sums; a pair counts once for all its vectors of weights).
/// @param values f32 or f64 [SumProblem::n_rows()][target]; the result shares its memory. @param timings of
/// the run so far
Result to_result(const SumProblem& problem, const Array& values, std::uint64_t skipped,
                 const std::vector<Timing>& timings);

/// The sums of a result in double, [row][target]. Throws ks::Error(run) if a dataset is
/// missing or has another size.
Array sums_of(const Result& result, const SumProblem& problem);

}  // namespace ks::particles
