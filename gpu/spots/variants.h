#pragma once

#include <vector>

#include "gpu/runtime/opencl_backend.h"

namespace ks::gpu::spots {

/// The OpenCL spot finders.
std::vector<ClVariant> cl_variants();

}  // namespace ks::gpu::spots
