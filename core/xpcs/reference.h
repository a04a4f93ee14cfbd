#pragma once

#include <vector>

#include "core/run/host_backend.h"
#include "core/run/timing.h"
#include "core/xpcs/correlation.h"
#include "core/xpcs/problem.h"

namespace ks::xpcs {

/// The definition, computed directly: G(t, t + delay) for every bin, delay and t, exact in 64-bit integers
/// for whole counts and in double for others; the standard deviation in two passes. Any number of threads
/// gives the same bytes. Throws ks::Error(input) if the regrouped counts take more than `memory_limit` bytes.
Correlation correlate_reference(const CorrelationProblem& problem, unsigned threads,
                                std::uint64_t memory_limit, Progress& progress, std::vector<Timing>& timings);

/// "host.reference".
Result run_reference(const CorrelationProblem& problem, HostContext& context);

}  // namespace ks::xpcs
