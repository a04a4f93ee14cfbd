#pragma once

#include "core/clusters/trace/trace.h"
#include "gpu/clusters/labellers.h"

namespace ks::gpu::clusters {

/// All of a run of a variant.
/// @param make how it labels digis; @param trace what it records of a module
Result launch_clusters(const Problem& problem, LaunchContext& context, MakeLabeller make,
                       ks::clusters::TraceKind trace);

}  // namespace ks::gpu::clusters
