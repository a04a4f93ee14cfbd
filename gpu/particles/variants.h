#pragma once

#include <vector>

#include "gpu/runtime/opencl_backend.h"

namespace ks::gpu::particles {

std::vector<ClVariant> cl_variants();

}  // namespace ks::gpu::particles
