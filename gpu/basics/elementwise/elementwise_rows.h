#pragma once

#include <vector>

#include "gpu/runtime/opencl_backend.h"

namespace ks::gpu::basics {

/// Variants of multiply and of map.
std::vector<ClVariant> elementwise_rows();

}  // namespace ks::gpu::basics
