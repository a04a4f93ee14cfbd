#pragma once

#include "core/clusters/problem.h"
#include "core/run/variant.h"

namespace ks::clusters {

/// "charge_sums" ("32 bits" or "64 bits": width needed for the charge of any module if clusters are cut by
/// charge), "module_pixels" (the part of a module that has digis), "block_digis" (the longest piece of the
/// input that consists of whole modules).
Traits traits_of(const ClusterProblem& problem);

}  // namespace ks::clusters
