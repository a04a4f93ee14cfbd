#pragma once

#include <vector>

#include "gpu/runtime/opencl_backend.h"

namespace ks::gpu::basics {

/// Variants of buffers.
std::vector<ClVariant> buffers_rows();

}  // namespace ks::gpu::basics
