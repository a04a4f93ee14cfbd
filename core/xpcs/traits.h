#pragma once

#include "core/run/variant.h"
#include "core/xpcs/problem.h"

namespace ks::xpcs {

/// "counts": "whole", or "float" if they are not whole numbers. "element": type of the compact counts.
/// "size": number of pixels of all frames.
Traits traits_of(const CorrelationProblem& problem);

}  // namespace ks::xpcs
