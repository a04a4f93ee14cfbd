#pragma once

#include "core/run/host_backend.h"
#include "core/spots/problem.h"
#include "core/spots/signal_sink.h"

namespace ks::spots {

/// The definition (reference.h) on all cores: bands of as many frames at a time as there are threads.
void run_reference(const SpotProblem& problem, SignalSink& sink, HostContext& context);
/// The same using integral_images.h.
void run_integral_images(const SpotProblem& problem, SignalSink& sink, HostContext& context);

}  // namespace ks::spots
