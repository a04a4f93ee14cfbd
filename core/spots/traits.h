#pragma once

#include "core/run/variant.h"
#include "core/spots/problem.h"

namespace ks::spots {

/// "algorithm", "element" (of the pixels), "kernel_x" and "kernel_y" (half-widths of the window).
Traits traits_of(const SpotProblem& problem);

}  // namespace ks::spots
