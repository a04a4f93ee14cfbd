#pragma once

#include <vector>

#include "gpu/runtime/opencl_backend.h"
#include "gpu/spots/frames/frame_pipeline.h"

namespace ks::gpu::spots {

/// A row of the table: a spot finder.
struct SpotVariant {
    Variant info;
    MakeKernels make;
    TuningTable tuning = {};
};
std::vector<SpotVariant> spot_variants();

/// The same, each with its launch.
std::vector<ClVariant> cl_variants();

}  // namespace ks::gpu::spots
