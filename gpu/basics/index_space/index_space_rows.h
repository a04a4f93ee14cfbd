#pragma once

#include <vector>

#include "gpu/runtime/opencl_backend.h"

namespace ks::gpu::basics {

/// Variants of index_space.
std::vector<ClVariant> index_space_rows();

}  // namespace ks::gpu::basics
