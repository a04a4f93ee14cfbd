#pragma once

#include <vector>

#include "gpu/runtime/opencl_backend.h"

namespace ks::gpu::clusters {

/// The OpenCL variants.
std::vector<ClVariant> cl_variants();

}  // namespace ks::gpu::clusters
