#pragma once

#include <vector>

#include "core/run/parameter_spec.h"
#include "core/run/variant.h"

namespace ks::xpcs {

/// Parameter "correlator", the family of variants that may compute a run, and those of its delays.
std::vector<ParameterSpec> correlator_parameters();

/// A variant of this family runs if the request names it, or any. @param family "gram", "sparse"
Condition of_family(const char* family);
/// Whether the variant, or the base of a user's variant, has that condition.
bool is_of_family(const Variant& variant, const char* family);

/// A variant for whole, non-negative counts.
Condition whole_counts();

/// A variant whose delays are not 0, 1, 2, ..., and so cannot be rebinned.
Condition without_rebinning();

/// A variant that computes no two-time map.
Condition without_map();

}  // namespace ks::xpcs
