#pragma once

#include "core/particles/problem.h"
#include "core/run/analysis.h"
#include "gpu/runtime/launch_context.h"

namespace ks::gpu::particles {

/// Sums by a treecode, to the tolerance of the problem: the host builds trees and lists
/// (core/particles/treecode/plan.h), the device does the rest, in launches meant to stay below 100 ms, whose
/// splits do not change the result. Throws ks::Error(input) if the tolerance cannot be reached.
Result launch_treecode(const ks::particles::SumProblem& problem, LaunchContext& context);

}  // namespace ks::gpu::particles
