#pragma once

#include "core/run/host_backend.h"
#include "core/xpcs/problem.h"

namespace ks::xpcs {

/// "host.sparse": keeps only the counts other than 0, as events (pixel, frame, count), and adds up the
/// products of those of the same pixel. So the work grows with the square of their share. All sums are
/// integers of 64 bits, added and divided in the order of the definition: the values have the same bits. For
/// whole counts. The fact "events" is the number of events.
Result run_sparse(const CorrelationProblem& problem, HostContext& context);

}  // namespace ks::xpcs
