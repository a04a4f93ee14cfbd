#pragma once

#include <vector>

#include "gpu/runtime/opencl_backend.h"

namespace ks::gpu::basics {

/// Variants of reduce and of dot.
std::vector<ClVariant> reduce_rows();

}  // namespace ks::gpu::basics
