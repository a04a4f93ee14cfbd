#pragma once

#include "core/run/host_backend.h"
#include "core/spots/problem.h"
#include "core/spots/signal_sink.h"

namespace ks::spots {

/// Delivers the signal of all existing frames, using find_signal_sliding() on the threads of the context. The
/// next frame is read meanwhile.
void run_sliding(const SpotProblem& problem, SignalSink& sink, HostContext& context);

}  // namespace ks::spots
