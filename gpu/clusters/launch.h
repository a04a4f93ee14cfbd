#pragma once

#include "core/clusters/trace/trace.h"
#include "gpu/clusters/chunk_pipeline.h"
#include "gpu/clusters/labellers.h"

namespace ks::gpu::clusters {

/// All of a run of a variant.
/// @param make how it labels digis; @param trace what it records of a module
Result launch_clusters(const Problem& problem, LaunchContext& context, MakeLabeller make,
                       ks::clusters::TraceKind trace);
/// The same in a given way instead of that which suits the device.
Result launch_clusters(const Problem& problem, LaunchContext& context, MakeLabeller make,
                       ks::clusters::TraceKind trace, const PipelinePlan& plan);

}  // namespace ks::gpu::clusters
