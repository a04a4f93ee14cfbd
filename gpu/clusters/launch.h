#pragma once

#include <vector>

#include "core/clusters/problem.h"
#include "core/clusters/trace/trace.h"
#include "gpu/clusters/chunk_pipeline.h"
#include "gpu/clusters/labellers.h"
#include "gpu/runtime/opencl_backend.h"

namespace ks::gpu::clusters {

/// The rows of the table of variants.
std::vector<ClVariant> cl_variants();

/// A complete run of a variant.
/// @param make creates the labeller of the variant; @param trace what the variant records of a module
Result launch_clusters(const ks::clusters::ClusterProblem& problem, LaunchContext& context, MakeLabeller make,
                       ks::clusters::TraceKind trace, const PipelinePlan& plan);

/// Adds the trace of settings().record, if it names a slot, computed step by step on the device.
void record_on_device(const ClusterProblem& problem, ks::clusters::TraceKind kind, LaunchContext& context,
                      Result& result);

}  // namespace ks::gpu::clusters
