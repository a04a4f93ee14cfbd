#pragma once

#include <vector>

#include "gpu/runtime/opencl_backend.h"

namespace ks::gpu::basics {

/// Variants of memory_spaces.
std::vector<ClVariant> memory_spaces_rows();

}  // namespace ks::gpu::basics
