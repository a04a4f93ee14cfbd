#pragma once

#include "core/clusters/trace/trace.h"

namespace ks::gpu::clusters {

/// Adds the trace of settings().record, if it names a slot, computed step by step on the device.
void record_on_device(const ClusterProblem& problem, ks::clusters::TraceKind kind, LaunchContext& context,
                      Result& result);

}  // namespace ks::gpu::clusters
