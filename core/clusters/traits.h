#pragma once

#include "core/clusters/problem.h"
#include "core/run/variant.h"

namespace ks::clusters {

/// "charge_sums" ("32 bits" or "64 bits": what the charge of any module needs where clusters are cut by
/// charge), "module_pixels" (of the part of a module that has digis), "block_digis" (of the longest piece of
/// the input that has whole modules).
Traits traits_of(const ClusterProblem& problem);

}  // namespace ks::clusters
