#pragma once

#include <vector>

#include "gpu/runtime/opencl_backend.h"

namespace ks::gpu::xpcs {

/// The OpenCL correlators: seed.naive, seed.ordered, gram.tiled.
std::vector<ClVariant> cl_variants();

}  // namespace ks::gpu::xpcs
