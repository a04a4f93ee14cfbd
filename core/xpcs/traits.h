#pragma once

#include "core/run/variant.h"
#include "core/xpcs/problem.h"

namespace ks::xpcs {

/// "counts": "whole", or "float" where they are not. "element": of the compact counts. "size":
/// pixels of all frames.
Traits traits_of(const CorrelationProblem& problem);

}  // namespace ks::xpcs
