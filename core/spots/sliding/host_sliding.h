#pragma once

#include "core/run/host_backend.h"
#include "core/spots/problem.h"
#include "core/spots/signal_sink.h"

namespace ks::spots {

/// Delivers the signal of all frames that are there, by find_signal_sliding on the context's threads. The
/// next frame is read meanwhile.
void run_sliding(const SpotProblem& problem, SignalSink& sink, HostContext& context);

}  // namespace ks::spots
