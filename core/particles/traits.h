#pragma once

#include "core/particles/problem.h"
#include "core/run/variant.h"

namespace ks::particles {

/// "kernel", "precision", "gradient" as in the parameters; "vectors" (of weights), "weights" ("real" or
/// "complex"), "targets" ("planes", "cube" or "points").
Traits traits_of(const SumProblem& problem);

}  // namespace ks::particles
