#pragma once

#include <vector>

#include "gpu/runtime/opencl_backend.h"

namespace ks::gpu::basics {

/// Variants of copy.
std::vector<ClVariant> copy_rows();

}  // namespace ks::gpu::basics
