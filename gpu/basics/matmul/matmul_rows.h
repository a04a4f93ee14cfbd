#pragma once

#include <vector>

#include "gpu/runtime/opencl_backend.h"

namespace ks::gpu::basics {

/// Variants of matmul: steps 1 to 8 of the lecture's series, matrix units, and steps as they were published.
std::vector<ClVariant> matmul_rows();

}  // namespace ks::gpu::basics
