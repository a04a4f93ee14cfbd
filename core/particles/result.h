#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/data/array.h"
#include "core/particles/problem.h"
#include "core/run/result.h"
#include "core/run/timing.h"

namespace ks::particles {

/// Names of the potentials of a problem without _re and _im: potential_xy, potential_xz, potential_yz, or
/// potential.
std::vector<std::string> potential_names(bool on_planes);

/// The result of any variant from its sums. Datasets:
/// - on planes: the axes x, y, z f64 [side] (the coordinates along a side) and the images `potential_xy`,
/// `_xz`, `_yz`
///   [i][j] with i along the first named coordinate; at points `potential` [target];
/// - of complex sums two each, NAME_re and NAME_im.
/// Facts: sources, targets, pairs, skipped_pairs, pairs_per_second (of the kernels, on the host of its sums).
/// @param values f32 or f64 [1 or 2: re, im][target]; @param timings of the run so far
Result to_result(const SumProblem& problem, const Array& values, std::uint64_t skipped,
                 const std::vector<Timing>& timings);

/// The sums again, in double, [re, im or re alone][target]. Throws ks::Error(run) where a dataset is absent
/// or of another size.
Array sums_of(const Result& result, const SumProblem& problem);

}  // namespace ks::particles
