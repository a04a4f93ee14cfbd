#pragma once

#include <vector>

#include "gpu/runtime/opencl_backend.h"

namespace ks::gpu::xpcs {

/// The OpenCL correlators.
std::vector<ClVariant> cl_variants();

}  // namespace ks::gpu::xpcs
