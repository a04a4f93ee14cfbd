#pragma once

#include <vector>

#include "gpu/runtime/opencl_backend.h"

namespace ks::gpu::basics {

/// Variants of vector_add.
std::vector<ClVariant> vector_add_rows();

}  // namespace ks::gpu::basics
