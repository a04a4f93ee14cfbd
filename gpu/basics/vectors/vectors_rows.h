#pragma once

#include <vector>

#include "gpu/runtime/opencl_backend.h"

namespace ks::gpu::basics {

/// Variants of vectors.
std::vector<ClVariant> vectors_rows();

}  // namespace ks::gpu::basics
