#pragma once

#include <vector>

#include "gpu/runtime/opencl_backend.h"

namespace ks::gpu::basics {

/// The OpenCL variants of all exercises.
std::vector<ClVariant> cl_variants();

}  // namespace ks::gpu::basics
