#pragma once

#include "core/run/analysis.h"
#include "gpu/runtime/launch_context.h"

namespace ks::gpu::particles {

/// Sums by a treecode, to the tolerance of the problem: the host makes trees and lists
/// (core/particles/treecode/plan.h), the device does all else, in launches that are meant to stay below 100
/// ms and whose cuts do not change the result. Throws ks::Error(input) where the tolerance cannot be reached.
Result launch_treecode(const Problem& problem, LaunchContext& context);

}  // namespace ks::gpu::particles
